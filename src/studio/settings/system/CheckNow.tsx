'use client'

import { RefreshCw } from 'lucide-react'
import { useTransition } from 'react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { checkNow } from './check'

export function CheckNow({ slug }: { slug: string }) {
  const showToast = useToast()
  const { make } = useDirectChange()
  const [isPending, startTransition] = useTransition()

  const check = () =>
    startTransition(async () => {
      const failed = await make(() => checkNow(slug), { saved: 'Checked just now' })
      if (failed) showToast({ title: failed.error, tone: 'danger' })
    })

  return (
    <Button size="sm" icon={<Icon of={RefreshCw} />} onClick={check} busy={isPending}>
      Check now
    </Button>
  )
}
