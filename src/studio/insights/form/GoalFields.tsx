'use client'

import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import type { Goal } from '#insights/compile/goal'
import { usePickers } from './pickers'
import { none, FormPart } from './form-parts'

const goalLabels: Record<Goal['type'], string> = {
  page: 'Visits a page',
  event: 'Triggers an event',
  scroll: 'Scrolls a page',
  revenue: 'Generates revenue',
}
const goals = [
  { value: none, label: 'No goal' },
  ...Object.entries(goalLabels).map(([value, label]) => ({ value, label })),
]

const fresh: Record<string, Goal> = {
  page: { type: 'page', path: '/' },
  event: { type: 'event', event: '$pageview' },
  scroll: { type: 'scroll', path: '/', depth: 50 },
  revenue: { type: 'revenue' },
}

/** The goal; with one, each row shows its conversions. */
export function GoalFields({
  value,
  onChange,
}: {
  value: Goal | undefined
  onChange: (next: Goal | undefined) => void
}) {
  const { Event, Filter } = usePickers()
  return (
    <FormPart title="Goal" hint="The conversion to measure.">
      <Select
        aria-label="Goal"
        options={goals}
        value={value?.type ?? none}
        onChange={(type) => onChange(fresh[type])}
      />
      {(value?.type === 'page' || value?.type === 'scroll') && (
        <Field label="Page" hint="* is a wildcard, as in /blog/*.">
          <TextInput
            value={value.path}
            onChange={({ target }) => onChange({ ...value, path: target.value })}
          />
        </Field>
      )}
      {value?.type === 'scroll' && (
        <Field label="Minimum scroll depth">
          <NumberInput
            value={value.depth}
            min={1}
            max={100}
            unit="%"
            onChange={(depth) => depth !== null && onChange({ ...value, depth })}
          />
        </Field>
      )}
      {value?.type === 'event' && (
        <>
          <Event
            label="Goal: event"
            value={value.event}
            onChange={(event) => event !== null && onChange({ ...value, event })}
          />
          <Filter
            label="Filters of the goal"
            value={value.filter}
            onChange={(filter) => onChange({ ...value, filter })}
            event={value.event}
          />
        </>
      )}
    </FormPart>
  )
}
