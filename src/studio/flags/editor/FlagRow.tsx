'use client'

import { X } from 'lucide-react'
import { Combobox } from '#ui/form/Combobox'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Select } from '#ui/form/Select'
import type { FlagRowDraft } from './draft'
import type { EditorChoices } from './editor-choices'

interface FlagRowProps {
  draft: FlagRowDraft
  onChange: (next: FlagRowDraft) => void
  onRemove: () => void
  label: string
  flags: EditorChoices['flags']
}

/** A condition on what another flag says. */
export function FlagRow({ draft, onChange, onRemove, label, flags }: FlagRowProps) {
  const variants = flags.find(({ key }) => key === draft.flag)?.variants ?? []
  const answers = [
    { value: 'on', label: 'is on' },
    { value: 'off', label: 'is off' },
    ...variants.map(({ key }) => ({ value: `gives ${key}`, label: `gives ${key}` })),
  ]

  return (
    <div className="flex items-start gap-1.5">
      <div className="flex min-w-0 grow flex-wrap gap-1.5">
        <div className="w-full sm:w-56">
          <Combobox
            aria-label={`${label}: flag`}
            placeholder="Choose a flag"
            options={flags.map(({ key }) => ({ value: key, label: key, hint: 'Flag' }))}
            value={draft.flag ?? null}
            onChange={(flag) => onChange({ ...draft, flag: flag ?? undefined, value: true })}
            nothingFound={flags.length === 0 ? 'No other flags' : undefined}
            required
          />
        </div>
        <div className="w-full sm:w-44">
          <Select
            aria-label={`${label}: value`}
            options={answers}
            value={wordFor(draft.value)}
            onChange={(word) => onChange({ ...draft, value: valueIn(word) })}
          />
        </div>
      </div>
      <IconButton label={`Remove ${label.toLowerCase()}`} icon={<Icon of={X} />} onClick={onRemove} />
    </div>
  )
}

const wordFor = (value: boolean | string): string =>
  typeof value === 'string' ? `gives ${value}` : value ? 'on' : 'off'

const valueIn = (word: string): boolean | string =>
  word.startsWith('gives ') ? word.slice('gives '.length) : word === 'on'
