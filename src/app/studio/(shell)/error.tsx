'use client'

import { FailedPage, type PageFailure } from '#studio/shell/FailedPage'

export default function ShellFailed(failure: PageFailure) {
  return <FailedPage {...failure} />
}
