'use client'

import { FailedPage, type Failure } from '../../../../FailedPage'

export default function PeopleFailed(failure: Failure) {
  return <FailedPage {...failure} />
}
