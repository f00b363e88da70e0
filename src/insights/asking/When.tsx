'use client'

import { Field } from '../../ui/Field'
import { Select } from '../../ui/Select'
import type { Interval } from '../period'
import { comparisonWords } from '../period-words'
import { fromNone, none, orNone, Pair, Part } from './form'
import { PeriodPicker } from '../PeriodPicker'

export const everyInterval = ['minute', 'hour', 'day', 'week', 'month'] as const satisfies readonly Interval[]
export const returnIntervals = ['hour', 'day', 'week', 'month'] as const satisfies readonly Interval[]

interface Time<Step> {
  period: string
  interval?: Step | undefined
  compare?: string | undefined
}

interface WhenProps<Step extends Interval> {
  question: Time<Step>
  onChange: (next: Partial<Time<Step>>) => void
  /** Into which pieces it can go; none where the kind has no pieces. */
  intervals?: readonly Step[]
  /** Whether there is always one, and none that suits the period by itself. */
  isIntervalChosen?: boolean
  hasCompare?: boolean
}

/** Over which time, in which pieces, and held against which. */
export function When<Step extends Interval>({
  question: { period, interval, compare },
  onChange,
  intervals = [],
  isIntervalChosen = false,
  hasCompare = true,
}: WhenProps<Step>) {
  const steps = intervals.map((value) => ({ value, label: `By the ${value}` }))
  return (
    <Part title="When">
      <div className="flex flex-wrap gap-2">
        <PeriodPicker value={period} onChange={(next) => onChange({ period: next })} />
      </div>
      {(steps.length > 0 || hasCompare) && (
        <Pair>
          {steps.length > 0 && (
            <Field label="In pieces">
              <Select
                options={isIntervalChosen ? steps : [{ value: none, label: 'As suits' }, ...steps]}
                value={orNone(interval)}
                onChange={(value) => onChange({ interval: intervals.find((one) => one === value) })}
              />
            </Field>
          )}
          {hasCompare && <Compare value={compare} onChange={(next) => onChange({ compare: next })} />}
        </Pair>
      )}
    </Part>
  )
}

const known = ['previous', 'year']

function Compare({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (next: string | undefined) => void
}) {
  const all = value === undefined || known.includes(value) ? known : [...known, value]
  return (
    <Field label="Compared with">
      <Select
        options={[
          { value: none, label: 'Nothing' },
          ...all.map((compare) => ({ value: compare, label: comparisonWords(compare) })),
        ]}
        value={orNone(value)}
        onChange={(next) => onChange(fromNone(next))}
      />
    </Field>
  )
}
