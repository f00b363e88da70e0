'use client'

import { Plus, X } from 'lucide-react'
import { usePickers } from '#studio/insights/form/pickers'
import type { Filter, PropertyCondition } from '#filters/filter'
import type { ActionTrigger, EventTrigger, SurveyTrigger } from '#surveys/survey'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { NumberInput } from '#ui/form/NumberInput'
import { FilterEditor } from '#studio/filters/FilterEditor'
import { ActionFields } from './ActionFields'
import type { TargetingFieldsProps } from './AudienceFields'
import { useBuilder, useProblem } from './BuilderContext'

/** Edits what a survey waits for. */
export function TimingFields({ targeting, put }: TargetingFieldsProps) {
  const { triggers = [], repeatsOnTrigger, delaySeconds } = targeting
  const { scrollPercent, exitIntent, waitDays } = targeting
  const { error: triggerError } = useProblem('targeting.triggers')
  return (
    <div className="flex flex-col gap-5">
      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-1.5 font-medium">After an event or action</legend>
        <TriggerList triggers={triggers} onChange={(next) => put({ triggers: filledOrNone(next) })} />
        {triggerError && <FormError title={triggerError} />}
        {triggers.length > 0 && (
          <Checkbox
            label="Every time"
            hint="Off: only after the first event."
            checked={repeatsOnTrigger ?? false}
            onChange={(isOn) => put({ repeatsOnTrigger: isOn || undefined })}
          />
        )}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Delay" optional {...useProblem('targeting.delaySeconds')}>
          <NumberInput
            value={delaySeconds ?? null}
            min={0}
            unit="seconds"
            onChange={(next) => put({ delaySeconds: next ?? undefined })}
          />
        </Field>
        <Field label="Scrolled" optional {...useProblem('targeting.scrollPercent')}>
          <NumberInput
            value={scrollPercent ?? null}
            min={0}
            max={100}
            unit="%"
            onChange={(next) => put({ scrollPercent: next ?? undefined })}
          />
        </Field>
        <Field
          label="Wait after any other survey"
          optional
          hint="Days since the person last saw a survey."
          {...useProblem('targeting.waitDays')}
        >
          <NumberInput
            value={waitDays ?? null}
            min={1}
            unit="days"
            onChange={(next) => put({ waitDays: next ?? undefined })}
          />
        </Field>
        <Checkbox
          label="On exit intent"
          hint="When the pointer leaves the page. Desktop only."
          checked={exitIntent ?? false}
          onChange={(isOn) => put({ exitIntent: isOn || undefined })}
        />
      </div>
      {(delaySeconds ?? 0) > 0 && <CancelFields targeting={targeting} put={put} />}
    </div>
  )
}

function CancelFields({ targeting: { cancelEvents = [] }, put }: TargetingFieldsProps) {
  const { error: cancelError } = useProblem('targeting.cancelEvents')
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 font-medium">Cancel if this happens during the delay</legend>
      <EventList
        label="Cancelling event"
        events={cancelEvents}
        onChange={(next) => put({ cancelEvents: filledOrNone(next) })}
      />
      {cancelError && <FormError title={cancelError} />}
    </fieldset>
  )
}

const filledOrNone = <One,>(list: readonly One[]): readonly One[] | undefined =>
  list.length > 0 ? list : undefined

const newEvent: EventTrigger = { kind: 'event', event: '', properties: [] }
const newAction: ActionTrigger = { kind: 'action', name: '', steps: [{}] }

function TriggerList({
  triggers,
  onChange,
}: {
  triggers: readonly SurveyTrigger[]
  onChange: (next: readonly SurveyTrigger[]) => void
}) {
  return (
    <>
      {triggers.map((trigger, index) => {
        const shared = {
          label: `${trigger.kind === 'event' ? 'Event' : 'Action'} ${index + 1}`,
          onRemove: () => onChange(triggers.toSpliced(index, 1)),
        }
        return trigger.kind === 'event' ? (
          <EventFields
            key={index}
            {...shared}
            trigger={trigger}
            onChange={(next) => onChange(triggers.with(index, next))}
          />
        ) : (
          <ActionFields
            key={index}
            {...shared}
            trigger={trigger}
            onChange={(next) => onChange(triggers.with(index, next))}
          />
        )
      })}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" icon={<Icon of={Plus} />} onClick={() => onChange([...triggers, newEvent])}>
          Add event
        </Button>
        <Button size="sm" icon={<Icon of={Plus} />} onClick={() => onChange([...triggers, newAction])}>
          Add action
        </Button>
      </div>
    </>
  )
}

function EventList({
  label,
  events,
  onChange,
}: {
  label: string
  events: readonly EventTrigger[]
  onChange: (next: readonly EventTrigger[]) => void
}) {
  return (
    <>
      {events.map((trigger, index) => (
        <EventFields
          key={index}
          label={`${label} ${index + 1}`}
          trigger={trigger}
          onChange={(next) => onChange(events.with(index, next))}
          onRemove={() => onChange(events.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button size="sm" icon={<Icon of={Plus} />} onClick={() => onChange([...events, newEvent])}>
          Add event
        </Button>
      </div>
    </>
  )
}

function EventFields({
  label,
  trigger,
  onChange,
  onRemove,
}: {
  label: string
  trigger: EventTrigger
  onChange: (next: EventTrigger) => void
  onRemove: () => void
}) {
  const { Event } = usePickers()
  const { choices } = useBuilder()
  const { event, properties } = trigger
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line bg-sunken p-2.5">
      <div className="flex items-center gap-1">
        <div className="min-w-0 grow">
          <Event
            label={label}
            value={event === '' ? undefined : event}
            onChange={(next) => next !== null && onChange({ ...trigger, event: next })}
          />
        </div>
        <IconButton label={`Remove ${label.toLowerCase()}`} icon={<Icon of={X} />} onClick={onRemove} />
      </div>
      {event !== '' && (
        <FilterEditor
          value={properties.length > 0 ? { all: [...properties] } : undefined}
          onChange={(filter) => onChange({ ...trigger, properties: conditionsIn(filter) })}
          projectSlug={choices.slug}
          of={['event']}
          event={event}
          label={`Conditions of ${label.toLowerCase()}`}
        />
      )}
    </div>
  )
}

/** A trigger knows no groups of conditions; all of them must hold. */
function conditionsIn(filter: Filter | undefined): PropertyCondition[] {
  if (!filter) return []
  if ('all' in filter) return filter.all.flatMap(conditionsIn)
  if ('any' in filter) return filter.any.flatMap(conditionsIn)
  return filter.type === 'cohort' ? [] : [filter]
}
