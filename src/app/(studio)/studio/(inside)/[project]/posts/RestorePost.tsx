'use client'

import { useTransition } from 'react'
import { Button } from '../../../../../../ui/Button'
import { useToast } from '../../../../../../ui/Toast'
import { reached } from '../../../../reached'
import { restorePost } from './actions'

interface RestorePostProps {
  slug: string
  id: string
  title: string
  whyNot: string | undefined
}

export function RestorePost({ slug, id, title, whyNot }: RestorePostProps) {
  const say = useToast()
  const [isPending, startTransition] = useTransition()
  const restore = () =>
    startTransition(async () => {
      const answer = await reached(() => restorePost(slug, id))
      if (answer.done) say({ title: `“${title}” is back`, tone: 'success' })
      else say({ title: answer.problems.map(({ message }) => message).join(' '), tone: 'danger' })
    })
  return (
    <Button size="sm" onClick={restore} busy={isPending} disabledReason={whyNot}>
      Bring back
    </Button>
  )
}
