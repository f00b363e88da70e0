'use client'

import { Trash2 } from 'lucide-react'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import type { ActionResult } from '#studio/parts/action-result'
import { useDirectChange } from '#studio/parts/Change'

interface RemoveEntryProps {
  name: string
  noun: 'holdout' | 'layer'
  /** The effect on the entry's flags. */
  consequence: string
  remove: () => Promise<ActionResult>
  whyNot: string | undefined
}

/** Removes a holdout or a layer for good. */
export function RemoveEntry({ name, noun, consequence, remove, whyNot }: RemoveEntryProps) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title={`Remove ${name}?`}
      body={
        <>
          {consequence} This cannot be undone.
          {question}
        </>
      }
      confirmLabel={`Remove ${noun}`}
      onConfirm={() => make(remove, { saved: `${name} removed` })}
      trigger={<IconButton label={`Remove ${name}`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />}
    />
  )
}
