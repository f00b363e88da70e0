'use client'

import { FailedPage, type PageFailure } from '../../FailedPage'

export default function InsideFailed(failure: PageFailure) {
  return <FailedPage {...failure} />
}
