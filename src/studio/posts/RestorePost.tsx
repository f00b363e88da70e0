'use client'

import { useTransition } from 'react'
import { Button } from '#ui/Button'
import { useToast } from '#ui/overlay/Toast'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { restorePost } from './actions'

interface RestorePostProps {
  slug: string
  id: string
  title: string
  whyNot: string | undefined
}

export function RestorePost({ slug, id, title, whyNot }: RestorePostProps) {
  const showToast = useToast()
  const [isPending, startTransition] = useTransition()
  const restore = () =>
    startTransition(async () => {
      const answer = await withNetworkErrors(() => restorePost(slug, id))
      if (answer.done) showToast({ title: `“${title}” restored`, tone: 'success' })
      else showToast({ title: answer.problems.map(({ message }) => message).join(' '), tone: 'danger' })
    })
  return (
    <Button size="sm" onClick={restore} busy={isPending} disabledReason={whyNot}>
      Restore
    </Button>
  )
}
