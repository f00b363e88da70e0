'use client'

import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import type { Interval } from '#insights/calendar/period'
import { namedComparisons } from '#insights/calendar/named-periods'
import { comparisonWords } from '#insights/calendar/period-words'
import { fromNone, none, orNone, FormPart } from './form-parts'
import { PeriodPicker } from './PeriodPicker'

export const everyInterval = ['minute', 'hour', 'day', 'week', 'month'] as const satisfies readonly Interval[]
export const returnIntervals = ['hour', 'day', 'week', 'month'] as const satisfies readonly Interval[]

interface PeriodQuery<Step> {
  period: string
  interval?: Step | undefined
  compare?: string | undefined
}

interface PeriodFieldsProps<Step extends Interval> {
  query: PeriodQuery<Step>
  onChange: (next: Partial<PeriodQuery<Step>>) => void
  /** The intervals to choose from; absent if the kind has none. */
  intervals?: readonly Step[]
  /** Whether an interval must be chosen, without an automatic one. */
  isIntervalChosen?: boolean
  hasCompare?: boolean
}

/** The period, interval and comparison of a query. */
export function PeriodFields<Step extends Interval>({
  query: { period, interval, compare },
  onChange,
  intervals = [],
  isIntervalChosen = false,
  hasCompare = true,
}: PeriodFieldsProps<Step>) {
  const steps = intervals.map((value) => ({ value, label: capitalized(value) }))
  return (
    <FormPart title="Date range">
      <div className="flex flex-wrap gap-2">
        <PeriodPicker value={period} onChange={(next) => onChange({ period: next })} />
      </div>
      {steps.length > 0 && (
        <Field label="Interval">
          <Select
            options={isIntervalChosen ? steps : [{ value: none, label: 'Auto' }, ...steps]}
            value={orNone(interval)}
            onChange={(value) => onChange({ interval: intervals.find((one) => one === value) })}
          />
        </Field>
      )}
      {hasCompare && <Compare value={compare} onChange={(next) => onChange({ compare: next })} />}
    </FormPart>
  )
}

const known: readonly string[] = Object.keys(namedComparisons)

function Compare({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (next: string | undefined) => void
}) {
  const all = value === undefined || known.includes(value) ? known : [...known, value]
  return (
    <Field label="Compare with">
      <Select
        options={[
          { value: none, label: 'No comparison' },
          ...all.map((compare) => ({ value: compare, label: comparisonWords(compare) })),
        ]}
        value={orNone(value)}
        onChange={(next) => onChange(fromNone(next))}
      />
    </Field>
  )
}

const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
