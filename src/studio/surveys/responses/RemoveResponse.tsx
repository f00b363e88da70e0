'use client'

import { RotateCcw, Trash2 } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import type { ActionResult } from '#studio/parts/action-result'
import { useDirectChange } from '#studio/parts/Change'
import { removeResponse, restoreResponse } from '../actions'

interface RemoveResponseProps {
  slug: string
  survey: string
  response: string
  /** Names the response for a screen reader; without it the button has its label and leads back to the list. */
  of?: string
  isRemoved?: boolean
  whyNot: string | undefined
}

/** Takes a response out of the results, as one that was sent for a test, and restores it. */
export function RemoveResponse({ slug, survey, response, of, isRemoved, whyNot }: RemoveResponseProps) {
  const router = useNavigation()
  const showToast = useToast()
  const { make, question } = useDirectChange()

  async function run(
    change: () => Promise<ActionResult>,
    then: { saved: string; undo?: () => void; onDone?: () => void },
  ) {
    const failed = await make(change, then)
    if (failed) showToast({ title: failed.error, tone: 'danger' })
  }
  const restore = () =>
    void run(() => restoreResponse(slug, survey, response), { saved: 'Response restored' })
  const remove = () =>
    void run(() => removeResponse(slug, survey, response), {
      saved: 'Response removed',
      undo: restore,
      ...(of === undefined && { onDone: () => router.push(paths.surveyResponses(slug, survey)) }),
    })

  return (
    <>
      {question}
      {isRemoved && of !== undefined ? (
        <IconButton
          label={`Restore the response of ${of}`}
          icon={<Icon of={RotateCcw} />}
          onClick={restore}
          disabledReason={whyNot}
        />
      ) : isRemoved ? (
        <Button icon={<Icon of={RotateCcw} />} onClick={restore} disabledReason={whyNot}>
          Restore
        </Button>
      ) : of === undefined ? (
        <Button icon={<Icon of={Trash2} />} onClick={remove} disabledReason={whyNot}>
          Remove
        </Button>
      ) : (
        <IconButton
          label={`Remove the response of ${of}`}
          icon={<Icon of={Trash2} />}
          onClick={remove}
          disabledReason={whyNot}
        />
      )}
    </>
  )
}
