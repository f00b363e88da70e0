'use client'

import { Check, Copy, X } from 'lucide-react'
import { useCopy } from './copy'
import { Icon } from '../Icon'
import { IconButton } from '../IconButton'

const announcements = {
  copied: 'Copied',
  failed: 'Copying failed. Select the text and copy it manually.',
}

const icons = {
  copied: <Icon of={Check} className="text-success" />,
  failed: <Icon of={X} className="text-danger-ink" />,
}

export function CopyButton({
  text,
  label = 'Copy',
  size = 'sm',
}: {
  text: string
  label?: string
  size?: 'sm' | 'md'
}) {
  const { copy, outcome } = useCopy(text, announcements)

  return (
    <span className="inline-flex">
      <IconButton
        size={size}
        label={outcome ? announcements[outcome] : label}
        icon={outcome ? icons[outcome] : <Icon of={Copy} />}
        onClick={copy}
      />
    </span>
  )
}
