'use client'

import { useState } from 'react'
import type { Goal } from '#insights/compile/goal'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import type { GoalsTableContext } from './GoalsTable'

const types: readonly { value: Goal['type']; label: string; hint: string }[] = [
  { value: 'page', label: 'Page view', hint: 'such as /thanks' },
  { value: 'event', label: 'Event', hint: 'such as signed up' },
  { value: 'scroll', label: 'Scroll depth', hint: 'down to a percentage' },
  { value: 'revenue', label: 'Revenue', hint: 'any revenue' },
]

interface GoalFieldsProps {
  goal: Goal | undefined
  name: string | undefined
  events: GoalsTableContext['events']
}

/** The fields of a goal, and its name. */
export function GoalFields({ goal, name, events }: GoalFieldsProps) {
  const [type, setType] = useState<Goal['type']>(goal?.type ?? 'page')
  const path = goal && 'path' in goal ? goal.path : undefined

  return (
    <>
      <Field label="Goal type" name="goal.type">
        <Select options={types} value={type} onChange={setType} />
      </Field>
      {(type === 'page' || type === 'scroll') && (
        <Field label="Page" name="goal.path" hint="The path. * is a wildcard, as in /blog/*.">
          <TextInput placeholder="/thanks" defaultValue={path} autoComplete="off" />
        </Field>
      )}
      {type === 'scroll' && (
        <Field label="Scroll depth in percent" name="goal.depth">
          <TextInput inputMode="numeric" defaultValue={goal?.type === 'scroll' ? String(goal.depth) : '75'} />
        </Field>
      )}
      {type === 'event' && <EventField goal={goal} events={events} />}
      <Field label="Name" name="name" hint="Such as “Signed up” or “Read the guide”.">
        <TextInput autoComplete="off" defaultValue={name} />
      </Field>
    </>
  )
}

function EventField({ goal, events }: Omit<GoalFieldsProps, 'name'>) {
  const [event, setEvent] = useState(goal?.type === 'event' ? goal.event : null)
  return (
    <>
      <Field label="Event">
        <Combobox
          placeholder="Choose an event"
          options={events.map(({ name, label, isVerified }) => ({
            value: name,
            label,
            isVerified,
            hint: label === name ? undefined : name,
          }))}
          value={event}
          onChange={setEvent}
          allowOther
        />
      </Field>
      <input type="hidden" name="goal.event" value={event ?? ''} />
    </>
  )
}
