'use client'

import { FailedPage, type PageFailure } from './FailedPage'

export default function StudioFailed(failure: PageFailure) {
  return (
    <main className="grid min-h-dvh place-items-center">
      <FailedPage {...failure} />
    </main>
  )
}
