'use client'

import { type ReactNode, useState } from 'react'
import { deferred } from '#ui/deferral/deferred'
import { WhenOpened } from '#ui/deferral/WhenOpened'
import type { ActionResult } from './action-result'
import { withNetworkErrors } from './with-network-errors'
import { type WaysToConfirm, waysToConfirm } from './confirm-password'

const confirmDialog = deferred(async () => (await import('./ConfirmDialog')).ConfirmDialog)

interface PasswordConfirmation {
  /** Makes a change; where it asks for the password, asks the person and makes it again. */
  withConfirmation: <Done>(change: () => Promise<ActionResult<Done>>) => Promise<ActionResult<Done>>
  /** Belongs inside the form or dialog that makes the change: a dialog above a dialog must be a part of it. */
  question: ReactNode
}

/** A cancelled dialog shows no further message. */
const cancelled = { done: false, problems: [] } as const

export interface PendingConfirmation {
  ways: WaysToConfirm
  answer: (isGiven: boolean) => void
}

/** "Is it still you?" for changes that a stranger at an unlocked screen must not make. */
export function usePasswordConfirmation(): PasswordConfirmation {
  const [confirmation, setConfirmation] = useState<PendingConfirmation>()

  async function confirmed<Done>(change: () => Promise<ActionResult<Done>>): Promise<ActionResult<Done>> {
    const answer = await withNetworkErrors(change)
    if (answer.done || !answer.needsPassword) return answer
    const ways = await withNetworkErrors(waysToConfirm)
    if (!ways.done) return ways
    const isGiven = await new Promise<boolean>((resolve) => setConfirmation({ ways, answer: resolve }))
    setConfirmation(undefined)
    return isGiven ? await withNetworkErrors(change) : { ...cancelled, problems: [] }
  }

  return {
    withConfirmation: confirmed,
    question: (
      <WhenOpened
        isOpen={confirmation !== undefined}
        load={confirmDialog}
        onFailure={() => confirmation?.answer(false)}
      >
        {(ConfirmDialog) => <ConfirmDialog asked={confirmation} />}
      </WhenOpened>
    ),
  }
}
