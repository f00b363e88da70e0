'use client'

import { type ReactElement, useId, useState } from 'react'
import type { Goal } from '../../../../../../../insights/goal'
import { Button } from '../../../../../../../ui/Button'
import { Combobox } from '../../../../../../../ui/Combobox'
import { Dialog, DialogClose } from '../../../../../../../ui/Dialog'
import { Field } from '../../../../../../../ui/Field'
import { Form } from '../../../../../../../ui/Form'
import { Select } from '../../../../../../../ui/Select'
import { TextInput } from '../../../../../../../ui/TextInput'
import { useChange } from '../../../../../Change'
import { saveGoal } from '../changes'
import type { GoalRow, GoalsGround } from './GoalsTable'

const types: readonly { value: Goal['type']; label: string; hint: string }[] = [
  { value: 'page', label: 'A page is viewed', hint: 'such as /thanks' },
  { value: 'event', label: 'An event happens', hint: 'such as signed up' },
  { value: 'scroll', label: 'A page is read', hint: 'so much of it' },
  { value: 'revenue', label: 'Money comes in', hint: 'any revenue' },
]

interface GoalDialogProps extends GoalsGround {
  trigger: ReactElement
  /** To be changed; a new one without it. */
  row?: GoalRow
}

/** Sets a goal, or changes one. */
export function GoalDialog({ slug, events, trigger, row }: GoalDialogProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { form, isPending, notes, forget } = useChange({
    change: (given) => saveGoal(slug, row?.id ?? '', given),
    saved: row ? 'Goal changed' : 'Goal set',
    onDone: () => setOpen(false),
  })

  return (
    <Dialog
      title={row ? `Change ${row.name}` : 'New goal'}
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        if (open) forget()
      }}
      trigger={trigger}
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" form={id} busy={isPending}>
            {row ? 'Change the goal' : 'Set the goal'}
          </Button>
        </>
      }
    >
      <Form id={id} {...form}>
        {notes}
        <GoalFields goal={row?.goal} events={events} />
        <Field label="Name" name="name" hint="What people here call it: “Signed up”, “Read the guide”.">
          <TextInput autoComplete="off" defaultValue={row?.name} />
        </Field>
      </Form>
    </Dialog>
  )
}

interface FieldsProps {
  goal: Goal | undefined
  events: GoalsGround['events']
}

function GoalFields({ goal, events }: FieldsProps) {
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

function EventField({ goal, events }: FieldsProps) {
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
