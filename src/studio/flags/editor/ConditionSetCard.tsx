'use client'

import { ArrowDown, ArrowUp, Copy, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { BucketBy } from '#flags/flag'
import { setInWords } from '#flags/words'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Select } from '#ui/form/Select'
import { Skeleton } from '#ui/page/Skeleton'
import { TextInput } from '#ui/form/TextInput'
import { NumberInput } from '#ui/form/NumberInput'
import { Slider } from '#ui/form/Slider'
import { conditionSetOf, type SetDraft, type VariantDraft } from './draft'
import { type EditorChoices, namesIn } from './editor-choices'

const AudienceSize = lazy(async () => ({ default: (await import('./AudienceSize')).AudienceSize }))
const ConditionRows = lazy(async () => ({ default: (await import('./ConditionRows')).ConditionRows }))

interface ConditionSetCardProps {
  draft: SetDraft
  index: number
  of: number
  /** Moves the card; absent if it is the only one. */
  handle: ReactNode
  variants: readonly VariantDraft[]
  bucketBy: BucketBy
  choices: EditorChoices
  onChange: (next: SetDraft) => void
  onMove: (by: -1 | 1) => void
  onDuplicate: () => void
  onRemove: () => void
}

/** Edits one condition set: its filter, its percentage and its variant. */
export function ConditionSetCard(props: ConditionSetCardProps) {
  const { draft, index, handle, choices, variants, bucketBy, onChange } = props
  const set = conditionSetOf(draft)
  const label = `Condition set ${index + 1}`

  return (
    <section aria-label={label} className="rounded-lg border border-line bg-surface">
      <header className="flex items-start justify-between gap-3 border-b border-line py-2 pr-2 pl-4">
        {handle && <div className="-ml-2 pt-0.5">{handle}</div>}
        <div className="min-w-0 grow py-1">
          <h3 className="text-xs font-medium text-muted">{label}</h3>
          <p className="text-pretty wrap-anywhere">{setInWords(set, namesIn(choices))}</p>
        </div>
        <CardActions {...props} label={label} />
      </header>
      <div className="flex flex-col gap-4 p-4">
        <Suspense fallback={<Skeleton className="h-8 w-40" />}>
          <ConditionRows
            rows={draft.rows}
            onChange={(rows) => onChange({ ...draft, rows })}
            label={`${label}, condition`}
            choices={choices}
          />
        </Suspense>
        <div className="grid gap-4 sm:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-1.5">
            <span className="font-medium">Rollout</span>
            <PercentageField
              label={`${label}: percentage`}
              value={draft.percentage}
              onChange={(percentage) => onChange({ ...draft, percentage })}
            />
          </div>
          {variants.length > 0 && <VariantChoice {...props} />}
          <Field label="Note" optional>
            <TextInput
              placeholder="Reason for this set"
              value={draft.description}
              onChange={({ target }) => onChange({ ...draft, description: target.value })}
            />
          </Field>
        </div>
        <Checkbox
          label="Stop evaluating"
          hint="Matching people outside the rollout get no value; the sets below are skipped."
          checked={draft.isLast}
          onChange={(isLast) => onChange({ ...draft, isLast })}
        />
      </div>
      <footer className="border-t border-line px-4 py-2.5 text-xs text-muted">
        <Suspense fallback={<Skeleton className="h-5 w-64" />}>
          <AudienceSize
            slug={choices.slug}
            conditions={set.conditions}
            percentage={set.percentage}
            bucketBy={bucketBy}
          />
        </Suspense>
      </footer>
    </section>
  )
}

function CardActions({
  label,
  index,
  of,
  onMove,
  onDuplicate,
  onRemove,
}: ConditionSetCardProps & { label: string }) {
  const lower = label.toLowerCase()
  return (
    <span className="flex shrink-0">
      <IconButton
        label={`Move ${lower} up`}
        icon={<Icon of={ArrowUp} />}
        onClick={() => onMove(-1)}
        disabledReason={index === 0 ? 'Already first.' : undefined}
      />
      <IconButton
        label={`Move ${lower} down`}
        icon={<Icon of={ArrowDown} />}
        onClick={() => onMove(1)}
        disabledReason={index === of - 1 ? 'Already last.' : undefined}
      />
      <IconButton label={`Duplicate ${lower}`} icon={<Icon of={Copy} />} onClick={onDuplicate} />
      <IconButton label={`Remove ${lower}`} icon={<Icon of={Trash2} />} onClick={onRemove} />
    </span>
  )
}

const byPercentage = 'by their shares'

function VariantChoice({ draft, variants, onChange }: ConditionSetCardProps) {
  const options = [
    { value: byPercentage, label: 'Variants by weight' },
    ...variants.map(({ key, name }) => ({
      value: `always ${key}`,
      label: `Always ${key}`,
      hint: name || undefined,
    })),
  ]
  return (
    <Field label="Serve">
      <Select
        options={options}
        value={draft.variant === undefined ? byPercentage : `always ${draft.variant}`}
        onChange={(word) =>
          onChange({ ...draft, variant: word === byPercentage ? undefined : word.slice('always '.length) })
        }
      />
    </Field>
  )
}

/** About by hand, to a hundredth by number. */
function PercentageField({
  label,
  value,
  onChange,
}: {
  label: string
  value: number
  onChange: (next: number) => void
}) {
  return (
    <div className="flex items-center gap-3">
      <div className="min-w-24 grow">
        <Slider aria-label={`${label}, roughly`} value={value} onChange={onChange} />
      </div>
      <div className="w-36 shrink-0">
        <NumberInput
          aria-label={label}
          value={value}
          min={0}
          max={100}
          step={0.01}
          unit="%"
          onChange={(next) => onChange(Math.round((next ?? 0) * 100) / 100)}
        />
      </div>
    </div>
  )
}
