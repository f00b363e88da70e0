'use client'

import { useState } from 'react'
import { Button } from '#ui/Button'
import { Notice } from '#ui/page/Notice'
import { useDirectChange } from '#studio/parts/Change'
import { sendTestEmail } from './mail-server'

type TestOutcome = { address: string } | { problem: string }

/** The mail server's answer stays until the next test. */
export function SendTest({ whyNot }: { whyNot: string | undefined }) {
  const { make, question } = useDirectChange()
  const [outcome, setOutcome] = useState<TestOutcome>()
  const [isSending, setSending] = useState(false)

  async function send() {
    setSending(true)
    setOutcome(undefined)
    const failed = await make(sendTestEmail, { onDone: setOutcome })
    if (failed) setOutcome({ problem: failed.error })
    setSending(false)
  }

  return (
    <div className="flex flex-col gap-3" aria-live="polite">
      {question}
      <div>
        <Button busy={isSending} disabledReason={whyNot} onClick={() => void send()}>
          Send test
        </Button>
      </div>
      {outcome && 'problem' in outcome && (
        <Notice tone="danger" title="The test was not sent">
          {outcome.problem}
        </Notice>
      )}
      {outcome && 'address' in outcome && (
        <Notice title="The mail server accepted the test">It is on its way to {outcome.address}.</Notice>
      )}
    </div>
  )
}
