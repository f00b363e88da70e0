'use client'

import { FailedPage, type PageFailure } from '#studio/shell/FailedPage'

export default function SettingsFailed(failure: PageFailure) {
  return <FailedPage {...failure} />
}
