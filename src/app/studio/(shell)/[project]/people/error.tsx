'use client'

import { FailedPage, type PageFailure } from '#studio/shell/FailedPage'

export default function PeopleFailed(failure: PageFailure) {
  return <FailedPage {...failure} />
}
