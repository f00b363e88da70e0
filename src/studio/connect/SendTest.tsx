'use client'

import { Send } from 'lucide-react'
import { useState, useTransition } from 'react'
import type { LiveEvent } from '#events/live-event'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Notice } from '#ui/page/Notice'
import { sendTestEvent, type TestOutcome } from './test-event'
import { hasStored } from './connection-verdict'

/** Sends a real event through the public API: if it arrives, the problem is between the site and Tilth. */
export function SendTest({ projectKey, sightings }: { projectKey: string; sightings: readonly LiveEvent[] }) {
  const [outcome, setOutcome] = useState<TestOutcome>()
  const [isSending, startSending] = useTransition()
  const send = () => startSending(async () => setOutcome(await sendTestEvent(projectKey)))

  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      {outcome && <Outcome outcome={outcome} sightings={sightings} />}
      <Button icon={<Icon of={Send} />} onClick={send} busy={isSending} wide>
        Send test event
      </Button>
    </div>
  )
}

function Outcome({ outcome, sightings }: { outcome: TestOutcome; sightings: readonly LiveEvent[] }) {
  if (outcome.is === 'taken') return <AcceptedTest isStored={hasStored(sightings, outcome.uuid)} />
  if (outcome.is === 'dropped')
    return (
      <Notice tone="warning" title="The test event was dropped">
        The reason is above. Tilth itself works.
      </Notice>
    )
  if (outcome.is === 'refused')
    return (
      <Notice tone="danger" title={`The test event failed with HTTP ${outcome.status}`}>
        {outcome.says || 'The problem is in Tilth or in the proxy in front of it, not on your site.'}
      </Notice>
    )
  return (
    <Notice tone="danger" title="The test event could not be sent">
      This browser blocked it, for example with an ad blocker, or Tilth is not reachable.
    </Notice>
  )
}

function AcceptedTest({ isStored }: { isStored: boolean }) {
  return isStored ? (
    <Notice tone="success" title="The test event was stored">
      Tilth works. The problem is between your site and Tilth.
    </Notice>
  ) : (
    <Notice title="The test event was accepted">It is saved and will be stored in a moment.</Notice>
  )
}
