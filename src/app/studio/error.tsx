'use client'

import { FailedPage, type PageFailure } from '#studio/shell/FailedPage'

export default function StudioFailed(failure: PageFailure) {
  return (
    <main className="grid min-h-dvh place-items-center">
      <FailedPage {...failure} />
    </main>
  )
}
