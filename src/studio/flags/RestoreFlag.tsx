'use client'

import { useTransition } from 'react'
import { Button } from '#ui/Button'
import { useToast } from '#ui/overlay/Toast'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
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
  const showToast = useToast()
  const [isPending, startTransition] = useTransition()
  const restore = () =>
    startTransition(async () => {
      const answer = await withNetworkErrors(() => restoreFlag(slug, flagKey))
      if (answer.done) showToast({ title: `${flagKey} restored`, tone: 'success' })
      else showToast({ title: answer.problems.map(({ message }) => message).join(' '), tone: 'danger' })
    })
  return (
    <Button size="sm" onClick={restore} busy={isPending} disabledReason={whyNot}>
      Restore
    </Button>
  )
}
