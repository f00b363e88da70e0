'use client'

import { FailedPage, type PageFailure } from '#app/(studio)/FailedPage'

export default function SettingsFailed(failure: PageFailure) {
  return <FailedPage {...failure} />
}
