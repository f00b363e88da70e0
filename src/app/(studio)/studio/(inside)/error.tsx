'use client'

import { FailedPage, type PageFailure } from '#studio/shell/FailedPage'

export default function InsideFailed(failure: PageFailure) {
  return <FailedPage {...failure} />
}
