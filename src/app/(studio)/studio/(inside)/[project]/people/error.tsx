'use client'

import { FailedPage, type PageFailure } from '#app/(studio)/FailedPage'

export default function PeopleFailed(failure: PageFailure) {
  return <FailedPage {...failure} />
}
