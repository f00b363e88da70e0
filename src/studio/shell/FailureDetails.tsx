'use client'

import { useParams } from 'next/navigation'
import { useEffect, useState } from 'react'
import { FailedMessage } from '#ui/page/FailedMessage'
import { dateTime } from '#ui/format'
import { LinkButton } from '#ui/LinkButton'
import { applicationError } from '#ui/page/status-titles'
import { TitleWhileShown } from '#ui/page/TitleWhileShown'
import { paths } from '#studio/paths'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { failureBehind, type FailureShown } from './failure-behind'
import type { PageFailure } from './FailedPage'

/**
 * The broken part and the time since when, if that is known and public, otherwise whether the browser or the server
 * failed; the log reference, and a retry.
 */
export function FailureDetails({ error, retry }: PageFailure) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : undefined
  const { title, advice } = applicationError(digest ? 'server' : 'client')
  const failure = useFailureBehind(digest)
  const project = useParams<{ project?: string }>()?.project

  return (
    <>
      <TitleWhileShown title={title} />
      <FailedMessage
        title={failure?.title ?? title}
        body={failure ? <Details {...failure} /> : advice}
        onRetry={retry}
        action={failure && project && <LinkButton href={paths.system(project)}>Open System</LinkButton>}
        reference={digest && `Digest: ${digest}`}
      />
    </>
  )
}

function Details({ message, since }: FailureShown) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return (
    <>
      <p>{message}</p>
      <p className="mt-2">
        Since <time dateTime={since.toISOString()}>{dateTime(since, timeZone)}</time>. System shows the state
        of every part.
      </p>
    </>
  )
}

/** The browser is given a digest alone, so the server is asked once more. */
function useFailureBehind(digest: string | undefined): FailureShown | undefined {
  const [failure, setFailure] = useState<FailureShown>()
  useEffect(() => {
    if (digest === undefined) return
    void withNetworkErrors(() => failureBehind(digest)).then((answer) =>
      setFailure(answer.done ? answer.failure : undefined),
    )
  }, [digest])
  return failure
}
