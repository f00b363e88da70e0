'use client'

import { FailedPage, type Failure } from '../../../../FailedPage'

export default function SettingsFailed(failure: Failure) {
  return <FailedPage {...failure} />
}
