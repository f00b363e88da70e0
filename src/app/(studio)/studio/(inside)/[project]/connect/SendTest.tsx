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
        Send a test event from here
      </Button>
    </div>
  )
}

function Outcome({ outcome, sightings }: { outcome: TestOutcome; sightings: readonly LiveEvent[] }) {
  if (outcome.is === 'taken') return <AcceptedTest isStored={hasStored(sightings, outcome.uuid)} />
  if (outcome.is === 'dropped')
    return (
      <Notice tone="warning" title="The test event was dropped">
        Above it says why. Tilth itself works.
      </Notice>
    )
  if (outcome.is === 'refused')
    return (
      <Notice tone="danger" title={`The test event was answered with ${outcome.status}`}>
        {outcome.says || 'The trouble is with this Tilth or with what stands before it, not with the site.'}
      </Notice>
    )
  return (
    <Notice tone="danger" title="The test event could not be sent">
      Something in this browser stopped it, such as an ad blocker, or Tilth cannot be reached just now.
    </Notice>
  )
}

function AcceptedTest({ isStored }: { isStored: boolean }) {
  return isStored ? (
    <Notice tone="success" title="The test event was stored">
      So Tilth works. What is missing is between the site and here.
    </Notice>
  ) : (
    <Notice title="The test event was taken">
      It is on disk, and on its way to where questions are answered.
    </Notice>
  )
}
