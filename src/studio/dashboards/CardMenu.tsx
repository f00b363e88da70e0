'use client'

import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import type { BoardCard } from './Board'
import { CardDialog } from './CardDialog'
import { removeCard, restoreLayout } from './changes'

interface CardMenuProps {
  slug: string
  dashboard: string
  card: BoardCard
}

export function CardMenu({ slug, dashboard, card }: CardMenuProps) {
  const [isChanging, setChanging] = useState(false)
  const { content } = card
  const remove = useRemoval({ slug, dashboard, card })
  const change: MenuEntry =
    content.type === 'insight'
      ? { kind: 'link', label: 'Open insight', href: paths.insight(slug, content.insight) }
      : { label: 'Edit…', icon: <Icon of={Pencil} />, onSelect: () => setChanging(true) }

  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton size="sm" label={`More about ${card.label}`} icon={<Icon of={Ellipsis} />} />}
        entries={[
          change,
          { label: 'Remove', icon: <Icon of={Trash2} />, destructive: true, onSelect: () => void remove() },
        ]}
      />
      {content.type !== 'insight' && (
        <CardDialog
          slug={slug}
          dashboard={dashboard}
          cardId={card.id}
          start={content}
          open={isChanging}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  )
}

function useRemoval({ slug, dashboard, card }: CardMenuProps) {
  const showToast = useToast()
  const { make } = useDirectChange()
  const undo = (version: number) =>
    void make(() => restoreLayout(slug, dashboard, version), { saved: `${card.label} restored` })

  return async () => {
    const failed = await make(() => removeCard(slug, dashboard, card.id), {
      onDone: ({ before }) =>
        showToast({
          title: `${card.label} removed`,
          tone: 'success',
          action: { label: 'Undo', onSelect: () => undo(before) },
        }),
    })
    if (failed) showToast({ title: failed.error, tone: 'danger' })
  }
}
