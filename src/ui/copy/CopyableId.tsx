'use client'

import { Check, Copy, X } from 'lucide-react'
import { type ClipboardOutcome, useCopy } from './copy'
import { Icon } from '../Icon'

/** An id that a press copies. `label` says of which kind it is: "Distinct id". */
export function CopyableId({ id, label }: { id: string; label: string }) {
  const named = `${label} ${id}`
  const { copy, outcome } = useCopy(id, {
    copied: `${named} copied`,
    failed: `${named} could not be copied. Select the text and copy it manually.`,
  })
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
    </span>
  )
}

const iconOf = (outcome: ClipboardOutcome | undefined) =>
  outcome === 'copied' ? Check : outcome === 'failed' ? X : Copy
