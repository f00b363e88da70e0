'use client'

import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { BoundFields } from './BoundFields'
import { MatcherFields, PropertyField } from './MatcherFields'

type BoundedAmount = Extract<MeasuredMetric, { type: 'ratio' }>['numerator']

const kinds = [
  { value: 'count', label: 'Number of events' },
  { value: 'sum', label: 'Sum of a property' },
] as const

interface AmountFieldsProps {
  label: string
  value: BoundedAmount
  onChange: (next: BoundedAmount) => void
}

/** One side of a ratio: events that are counted, or a property that is summed, with bounds of its own. */
export function AmountFields({ label, value, onChange }: AmountFieldsProps) {
  const { property, ...counted } = value
  return (
    <fieldset className="flex flex-col gap-2.5 rounded-lg border border-line bg-sunken p-3">
      <legend className="sr-only">{label}</legend>
      <MatcherFields
        label={label}
        value={value.happening}
        onChange={(matcher) => onChange({ ...value, happening: matcher })}
      />
      <SegmentedControl
        label={`${label}: measured as`}
        options={kinds}
        value={property === undefined ? 'count' : 'sum'}
        onChange={(kind) => onChange(kind === 'count' ? counted : { ...counted, property: '' })}
      />
      {property !== undefined && (
        <PropertyField
          label={`${label}: property`}
          value={property}
          event={value.happening.event}
          onChange={(next) => onChange({ ...value, property: next })}
        />
      )}
      <BoundFields
        label={label}
        value={value}
        onChange={(bounds) => onChange(withoutUndefined({ ...value, ...bounds }))}
      />
    </fieldset>
  )
}

/** A bound that is taken away is absent. */
export function withoutUndefined<Bounded extends object>(value: Bounded): Bounded {
  // only optional fields can be undefined, so the rest still has the type
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Bounded
}
