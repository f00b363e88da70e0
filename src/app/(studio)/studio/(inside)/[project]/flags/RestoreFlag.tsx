'use client'

import { useTransition } from 'react'
import { Button } from '../../../../../../ui/Button'
import { useToast } from '../../../../../../ui/Toast'
import { reached } from '../../../../reached'
import { restoreFlag } from './actions'

export function RestoreFlag({
  slug,
  flagKey,
  whyNot,
}: {
  slug: string
  flagKey: string
  whyNot: string | undefined
}) {
  const say = useToast()
  const [isPending, startTransition] = useTransition()
  const restore = () =>
    startTransition(async () => {
      const answer = await reached(() => restoreFlag(slug, flagKey))
      if (answer.done) say({ title: `${flagKey} is back`, tone: 'success' })
      else say({ title: answer.problems.map(({ message }) => message).join(' '), tone: 'danger' })
    })
  return (
    <Button size="sm" onClick={restore} busy={isPending} disabledReason={whyNot}>
      Bring back
    </Button>
  )
}
