'use client'

import { type ReactElement, useState } from 'react'
import type { Goal } from '#insights/compile/goal'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#app/(studio)/ChangeDialog'
import { saveGoal } from '../changes'
import type { GoalRow, GoalsTableContext } from './GoalsTable'

const types: readonly { value: Goal['type']; label: string; hint: string }[] = [
  { value: 'page', label: 'A page is viewed', hint: 'such as /thanks' },
  { value: 'event', label: 'An event happens', hint: 'such as signed up' },
  { value: 'scroll', label: 'A page is read', hint: 'so much of it' },
  { value: 'revenue', label: 'Money comes in', hint: 'any revenue' },
]

interface GoalDialogProps extends GoalsTableContext {
  trigger: ReactElement
  /** To be changed; a new one without it. */
  row?: GoalRow
}

/** Sets a goal, or changes one. */
export function GoalDialog({ slug, events, trigger, row }: GoalDialogProps) {
  return (
    <ChangeDialog
      title={row ? `Change ${row.name}` : 'New goal'}
      change={(formData) => saveGoal(slug, row?.id ?? '', formData)}
      saved={row ? 'Goal changed' : 'Goal set'}
      trigger={trigger}
      submit={row ? 'Change the goal' : 'Set the goal'}
    >
      <GoalFields goal={row?.goal} events={events} />
      <Field label="Name" name="name" hint="What people here call it: “Signed up”, “Read the guide”.">
        <TextInput autoComplete="off" defaultValue={row?.name} />
      </Field>
    </ChangeDialog>
  )
}

interface GoalFieldsProps {
  goal: Goal | undefined
  events: GoalsTableContext['events']
}

function GoalFields({ goal, events }: GoalFieldsProps) {
  const [type, setType] = useState<Goal['type']>(goal?.type ?? 'page')
  const path = goal && 'path' in goal ? goal.path : undefined

  return (
    <>
      <Field label="Reached when" name="goal.type">
        <Select options={types} value={type} onChange={setType} />
      </Field>
      {(type === 'page' || type === 'scroll') && (
        <Field
          label="Page"
          name="goal.path"
          hint="Its address after the host. “*” stands for anything: /blog/*"
        >
          <TextInput placeholder="/thanks" defaultValue={path} autoComplete="off" />
        </Field>
      )}
      {type === 'scroll' && (
        <Field label="How much of it, in percent" name="goal.depth">
          <TextInput inputMode="numeric" defaultValue={goal?.type === 'scroll' ? String(goal.depth) : '75'} />
        </Field>
      )}
      {type === 'event' && <EventField goal={goal} events={events} />}
    </>
  )
}

function EventField({ goal, events }: GoalFieldsProps) {
  const [event, setEvent] = useState(goal?.type === 'event' ? goal.event : null)
  return (
    <>
      <Field label="Event">
        <Combobox
          placeholder="Choose an event, or type its name"
          options={events.map(({ name, label }) => ({
            value: name,
            label,
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
