'use client'

import { useActionState } from 'react'
import { whichInstance } from './action'

export function AskAction() {
  const [instance, ask] = useActionState(whichInstance, '')
  return (
    <form action={ask}>
      <button>Ask</button>
      <output>{instance}</output>
    </form>
  )
}
