'use client'

import { ArrowDown, ArrowUp, Copy, Trash2 } from 'lucide-react'
import type { BucketBy } from '../../../../../../../flags/flag'
import { setInWords } from '../../../../../../../flags/words'
import { Checkbox } from '../../../../../../../ui/Checkbox'
import { Field } from '../../../../../../../ui/Field'
import { Icon } from '../../../../../../../ui/Icon'
import { IconButton } from '../../../../../../../ui/IconButton'
import { Select } from '../../../../../../../ui/Select'
import { TextInput } from '../../../../../../../ui/TextInput'
import { ConditionRows } from './ConditionRows'
import { conditionSetOf, type SetDraft, type VariantDraft } from './draft'
import { type EditorGround, namesIn } from './ground'
import { Matching } from './Matching'
import { PercentageField } from './PercentageField'

export interface SetCardProps {
  draft: SetDraft
  place: number
  of: number
  variants: readonly VariantDraft[]
  bucketBy: BucketBy
  ground: EditorGround
  onChange: (next: SetDraft) => void
  onMove: (by: -1 | 1) => void
  onDuplicate: () => void
  onRemove: () => void
}

/** One condition set: for whom, how many of them, and what they get. */
export function SetCard(props: SetCardProps) {
  const { draft, place, ground, variants, bucketBy, onChange } = props
  const set = conditionSetOf(draft)
  const label = `Condition set ${place + 1}`

  return (
    <section aria-label={label} className="rounded-lg border border-line bg-surface">
      <header className="flex items-start justify-between gap-3 border-b border-line py-2 pr-2 pl-4">
        <div className="min-w-0 py-1">
          <h3 className="text-xs font-medium text-muted">{label}</h3>
          <p className="text-pretty wrap-anywhere">{setInWords(set, namesIn(ground))}</p>
        </div>
        <CardActions {...props} label={label} />
      </header>
      <div className="flex flex-col gap-4 p-4">
        <ConditionRows
          rows={draft.rows}
          onChange={(rows) => onChange({ ...draft, rows })}
          label={`${label}, condition`}
          ground={ground}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-1.5">
            <span className="font-medium">How many of them</span>
            <PercentageField
              label={`${label}: percentage`}
              value={draft.percentage}
              onChange={(percentage) => onChange({ ...draft, percentage })}
            />
          </div>
          {variants.length > 0 && <VariantChoice {...props} />}
          <Field label="Note" optional>
            <TextInput
              placeholder="Why this set is there"
              value={draft.description}
              onChange={({ target }) => onChange({ ...draft, description: target.value })}
            />
          </Field>
        </div>
        <Checkbox
          label="And stop here"
          hint="Whoever fits but is not among the percentage gets nothing, whatever the sets below say."
          checked={draft.isLast}
          onChange={(isLast) => onChange({ ...draft, isLast })}
        />
      </div>
      <footer className="border-t border-line px-4 py-2.5 text-xs text-muted">
        <Matching
          slug={ground.slug}
          conditions={set.conditions}
          percentage={set.percentage}
          bucketBy={bucketBy}
        />
      </footer>
    </section>
  )
}

function CardActions({ label, place, of, onMove, onDuplicate, onRemove }: SetCardProps & { label: string }) {
  const lower = label.toLowerCase()
  return (
    <span className="flex shrink-0">
      <IconButton
        label={`Move ${lower} up`}
        icon={<Icon of={ArrowUp} />}
        onClick={() => onMove(-1)}
        disabledReason={place === 0 ? 'It is the first already.' : undefined}
      />
      <IconButton
        label={`Move ${lower} down`}
        icon={<Icon of={ArrowDown} />}
        onClick={() => onMove(1)}
        disabledReason={place === of - 1 ? 'It is the last already.' : undefined}
      />
      <IconButton label={`Duplicate ${lower}`} icon={<Icon of={Copy} />} onClick={onDuplicate} />
      <IconButton label={`Remove ${lower}`} icon={<Icon of={Trash2} />} onClick={onRemove} />
    </span>
  )
}

const byShare = 'by their shares'

function VariantChoice({ draft, variants, onChange }: SetCardProps) {
  const options = [
    { value: byShare, label: 'A variant by their shares' },
    ...variants.map(({ key, name }) => ({
      value: `always ${key}`,
      label: `Always ${key}`,
      hint: name || undefined,
    })),
  ]
  return (
    <Field label="What they get">
      <Select
        options={options}
        value={draft.variant === undefined ? byShare : `always ${draft.variant}`}
        onChange={(word) =>
          onChange({ ...draft, variant: word === byShare ? undefined : word.slice('always '.length) })
        }
      />
    </Field>
  )
}
