'use client'

import type { ValueBound } from '#insights/kinds/experiment/schema'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'

interface Bounds {
  atLeast?: ValueBound | undefined
  atMost?: ValueBound | undefined
}

interface BoundFieldsProps {
  /** Names the bounds for a screen reader. */
  label: string
  value: Bounds
  onChange: (bounds: Bounds) => void
}

/** Bounds of the value of one unit, which limit the weight of outliers. */
export function BoundFields({ label, value: { atLeast, atMost }, onChange }: BoundFieldsProps) {
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      <BoundField
        label={`${label}: lower bound`}
        lead="Lower bound"
        usual={1}
        value={atLeast}
        onChange={(next) => onChange({ atLeast: next })}
      />
      <BoundField
        label={`${label}: upper bound`}
        lead="Upper bound"
        usual={99}
        value={atMost}
        onChange={(next) => onChange({ atMost: next })}
      />
    </div>
  )
}

const kinds = [
  { value: 'none', label: 'None' },
  { value: 'percentile', label: 'Percentile', hint: 'Over the units of all variants together' },
  { value: 'value', label: 'Value' },
] as const

const kindOf = (bound: ValueBound | undefined) =>
  bound === undefined ? 'none' : 'value' in bound ? 'value' : 'percentile'

function BoundField({
  label,
  lead,
  usual,
  value,
  onChange,
}: {
  label: string
  lead: string
  /** The percentile that it begins with. */
  usual: number
  value: ValueBound | undefined
  onChange: (next: ValueBound | undefined) => void
}) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Select
        aria-label={label}
        lead={lead}
        options={kinds}
        value={kindOf(value)}
        onChange={(kind) =>
          onChange(kind === 'none' ? undefined : kind === 'value' ? { value: 0 } : { percentile: usual })
        }
      />
      {value && 'value' in value && (
        <NumberInput
          aria-label={`${label}, value`}
          value={value.value}
          step={0.01}
          onChange={(next) => onChange({ value: next ?? 0 })}
        />
      )}
      {value && 'percentile' in value && (
        <NumberInput
          aria-label={`${label}, percentile`}
          value={value.percentile}
          min={0.1}
          max={99.9}
          step={0.1}
          onChange={(next) => onChange({ percentile: next ?? usual })}
        />
      )}
    </div>
  )
}
