'use client'

import { Check, Copy, X } from 'lucide-react'
import { useCopy } from './copy'
import { Icon } from '../Icon'
import { VisuallyHidden } from '../VisuallyHidden'

/** An id that a press copies. `label` says of which kind it is: "Distinct id". */
export function CopyableId({ id, label }: { id: string; label: string }) {
  const { copy, outcome } = useCopy(id)
  return (
    <span className="relative z-1 inline-flex max-w-full">
      <button
        type="button"
        title={`Copy ${id}`}
        aria-label={`Copy ${label.charAt(0).toLowerCase() + label.slice(1)} ${id}`}
        onClick={copy}
        className="group/id inline-flex max-w-full items-center gap-1.5 rounded-sm text-left font-mono text-xs hover:text-accent-ink"
      >
        <span className="min-w-0 truncate">{id}</span>
        <span className={outcome ? 'shrink-0' : 'shrink-0 text-faint group-hover/id:text-accent-ink'}>
          <Icon of={iconOf(outcome)} size="sm" />
        </span>
      </button>
      <output>
        <VisuallyHidden>{outcome && announcements[outcome](`${label} ${id}`)}</VisuallyHidden>
      </output>
    </span>
  )
}

const announcements = {
  copied: (copied: string) => `${copied} copied`,
  failed: (copied: string) => `${copied} could not be copied. Select the text and copy it manually.`,
}

const iconOf = (outcome: keyof typeof announcements | undefined) =>
  outcome === 'copied' ? Check : outcome === 'failed' ? X : Copy
