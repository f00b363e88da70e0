'use client'

import { Check, Copy, X } from 'lucide-react'
import { useCopy } from './copy'
import { Icon } from '../Icon'
import { IconButton } from '../IconButton'
import { VisuallyHidden } from '../VisuallyHidden'

const outcomes = {
  copied: { says: 'Copied', icon: <Icon of={Check} className="text-success" /> },
  failed: {
    says: 'Copying failed. Select the text and copy it manually.',
    icon: <Icon of={X} className="text-danger-ink" />,
  },
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
  const { copy, outcome } = useCopy(text)
  const shown = outcome && outcomes[outcome]

  return (
    <span className="inline-flex">
      <IconButton
        size={size}
        label={shown?.says ?? label}
        icon={shown?.icon ?? <Icon of={Copy} />}
        onClick={copy}
      />
      <output>{shown && <VisuallyHidden>{shown.says}</VisuallyHidden>}</output>
    </span>
  )
}
