'use client'

import { goOn } from './action'

export function ActingForm() {
  return (
    <form action={goOn}>
      <button>Go on</button>
    </form>
  )
}
