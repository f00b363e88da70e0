'use client'

import { Select } from '#ui/form/Select'
import { isMath, mathNames, mathWords } from '#insights/measures/maths'
import type { Measure } from '#insights/compile/measure'
import { usePickers } from './pickers'

const groups = [
  { label: 'Count', of: ['total', 'persons', 'visitors', 'sessions', 'groups'] },
  { label: 'Active', of: ['daily_actives', 'weekly_actives', 'monthly_actives'] },
  {
    label: 'Property value',
    of: ['sum', 'average', 'median', 'p75', 'p90', 'p95', 'p99', 'min', 'max', 'per_person'],
  },
  { label: 'Survey score', of: ['nps', 'csat'] },
]

const options = groups.map(({ label, of }) => ({
  label,
  options: mathNames
    .filter((name) => of.includes(name))
    .map((value) => ({ value, label: mathWords(value).label })),
}))

/** The measure: how events become a number. */
export function MeasureFields({
  label,
  value,
  onChange,
  event,
}: {
  label: string
  value: Measure
  onChange: (next: Measure) => void
  event: string | null
}) {
  const { Property, GroupType } = usePickers()
  const { needs, takes } = mathWords(value.math)

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Select
        aria-label={`${label}: aggregation`}
        options={options}
        value={value.math}
        onChange={(math) => isMath(math) && onChange({ ...value, math })}
      />
      {(needs === 'property' || takes === 'property') && (
        <Property
          label={`${label}: property`}
          value={value.property}
          onChange={(property) => onChange({ ...value, property })}
          of={['event', 'person', 'session', 'group']}
          event={event}
          placeholder={needs ? 'Choose a property' : 'Event count, or a property'}
          required={needs === 'property'}
        />
      )}
      {needs === 'group' && (
        <GroupType
          label={`${label}: group type`}
          value={value.group}
          onChange={(group) => onChange({ ...value, group })}
        />
      )}
    </div>
  )
}
