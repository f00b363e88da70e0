'use client'

import { Star } from 'lucide-react'
import { startTransition, useOptimistic } from 'react'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { setFavourite } from './changes'

export function Favourite({
  slug,
  insight: { id, name, isFavourite: isKnownFavourite },
}: {
  slug: string
  insight: { id: string; name: string; isFavourite: boolean }
}) {
  const showToast = useToast()
  const { make } = useDirectChange()
  const [isFavourite, show] = useOptimistic(isKnownFavourite)
  const toggle = () =>
    startTransition(async () => {
      show(!isFavourite)
      const failed = await make(() => setFavourite(slug, id, !isFavourite), {})
      if (failed) showToast({ title: failed.error, tone: 'danger' })
    })
  return (
    <IconButton
      label={isFavourite ? `${name} is a favourite` : `Make ${name} a favourite`}
      aria-pressed={isFavourite}
      icon={<Icon of={Star} className={isFavourite ? 'fill-current text-accent' : ''} />}
      onClick={toggle}
    />
  )
}
