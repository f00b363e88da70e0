'use client'

import { FailedPage, type Failure } from '../../FailedPage'

export default function InsideFailed(failure: Failure) {
  return <FailedPage {...failure} />
}
