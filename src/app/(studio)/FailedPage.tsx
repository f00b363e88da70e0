'use client'

import { FailedMessage } from '../../ui/FailedMessage'
import { applicationError } from '../../ui/status-titles'
import { TitleWhileShown } from '../../ui/TitleWhileShown'

export interface Failure {
  error: unknown
  retry: () => void
}

/** In the place of a page that ended in an exception: on which side, where it is written down, and another try. */
export function FailedPage({ error, retry }: Failure) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : undefined
  const { title, advice } = applicationError(digest ? 'server' : 'client')

  return (
    <>
      <TitleWhileShown title={title} />
      <FailedMessage title={title} body={advice} onRetry={retry} reference={digest && `Digest: ${digest}`} />
    </>
  )
}
