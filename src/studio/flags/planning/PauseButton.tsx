'use client'

import { Pause, Play } from 'lucide-react'
import { useTransition } from 'react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import type { ActionResult } from '#studio/parts/action-result'

interface PauseChange {
  action: (slug: string, id: string) => Promise<ActionResult>
  saved: string
}

interface PauseButtonProps {
  slug: string
  id: string
  isPaused: boolean
  whyNot: string | undefined
  pause: PauseChange
  resume: PauseChange
}

/** Pauses what runs by itself: the steps of a rollout, the weights of a bandit. Or resumes it. */
export function PauseButton({ slug, id, isPaused, whyNot, pause, resume }: PauseButtonProps) {
  const { make, question } = useDirectChange()
  const showToast = useToast()
  const [isPending, startTransition] = useTransition()
  const { action, saved } = isPaused ? resume : pause
  const change = () =>
    startTransition(async () => {
      const failed = await make(() => action(slug, id), { saved })
      if (failed) showToast({ title: failed.error, tone: 'danger' })
    })
  return (
    <>
      {question}
      <Button
        size="sm"
        icon={<Icon of={isPaused ? Play : Pause} />}
        busy={isPending}
        onClick={change}
        disabledReason={whyNot}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </>
  )
}
