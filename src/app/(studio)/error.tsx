'use client'

import { FailedPage, type Failure } from './FailedPage'

export default function StudioFailed(failure: Failure) {
  return (
    <main className="grid min-h-dvh place-items-center">
      <FailedPage {...failure} />
    </main>
  )
}
