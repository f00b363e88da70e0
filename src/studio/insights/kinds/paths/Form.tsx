'use client'

import { Plus, X } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { NumberInput } from '#ui/form/NumberInput'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { Switch } from '#ui/form/Switch'
import { TextInput } from '#ui/form/TextInput'
import type { PathsQuery } from '#insights/kinds/paths/schema'
import { type QueryFormProps, FieldPair, FormPart } from '../../form/form-parts'
import { PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'
import { usePickers } from '../../form/pickers'

type Put = (next: Partial<PathsQuery>) => void

const subjects = [
  { value: 'pages', label: 'Pages' },
  { value: 'screens', label: 'Screens' },
  { value: 'events', label: 'Events' },
] as const

const counts = [
  { value: 'session', label: 'Per session' },
  { value: 'person', label: 'Per person' },
] as const

/** The form of a paths query. */
export function PathsForm({ query, onChange }: QueryFormProps<PathsQuery>) {
  const put: Put = (next) => onChange({ ...query, ...next })
  return (
    <>
      <FormPart title="Path type">
        <SegmentedControl
          label="Path type"
          options={subjects}
          value={query.of}
          onChange={(of) => put({ of, events: undefined, start: undefined, end: undefined })}
        />
        <Ends query={query} put={put} />
      </FormPart>
      <FormPart title="Length">
        <FieldPair>
          <Field label="Steps">
            <NumberInput
              value={query.steps}
              min={2}
              max={10}
              onChange={(steps) => steps !== null && put({ steps })}
            />
          </Field>
          <Field label="Nodes per step">
            <NumberInput
              value={query.top}
              min={1}
              max={50}
              onChange={(top) => top !== null && put({ top })}
            />
          </Field>
        </FieldPair>
        <SegmentedControl
          label="Paths per"
          options={counts}
          value={query.per}
          onChange={(per) => put({ per })}
        />
        {query.per === 'person' && (
          <Field label="Ends after inactivity of">
            <NumberInput
              value={query.windowMinutes}
              min={1}
              max={43_200}
              onChange={(windowMinutes) => windowMinutes !== null && put({ windowMinutes })}
              unit="minutes"
            />
          </Field>
        )}
        <Switch
          label="Collapse repeated steps"
          checked={query.collapse}
          onChange={(collapse) => put({ collapse })}
        />
      </FormPart>
      <Together query={query} put={put} />
      <PeriodFields query={query} onChange={put} hasCompare={false} />
      <AudienceFields query={query} onChange={put} />
    </>
  )
}

function Ends({ query, put }: { query: PathsQuery; put: Put }) {
  const { Event, Events } = usePickers()
  const { of, start, end, events } = query
  if (of !== 'events')
    return (
      <>
        <Named label="Start at" value={start} onChange={(next) => put({ start: next })} of={of} />
        <Named label="End at" value={end} onChange={(next) => put({ end: next })} of={of} />
      </>
    )
  return (
    <>
      <Field label="Only these events" optional>
        <Events
          label="Only these events"
          values={events ?? []}
          onChange={(next) => put({ events: next.length > 0 ? next : undefined })}
        />
      </Field>
      <Field label="Start at" optional>
        <Event
          label="Start at"
          value={start ?? null}
          onChange={(next) => put({ start: next ?? undefined })}
          allowAny
        />
      </Field>
      <Field label="End at" optional>
        <Event
          label="End at"
          value={end ?? null}
          onChange={(next) => put({ end: next ?? undefined })}
          allowAny
        />
      </Field>
    </>
  )
}

function Named({
  label,
  value,
  onChange,
  of,
}: {
  label: string
  value: string | undefined
  onChange: (next: string | undefined) => void
  of: PathsQuery['of']
}) {
  return (
    <Field label={label} optional>
      <TextInput
        placeholder={of === 'pages' ? '/pricing' : 'Settings'}
        value={value ?? ''}
        maxLength={500}
        onChange={({ target }) => onChange(target.value || undefined)}
      />
    </Field>
  )
}

/** The groups of names that count as one node. */
function Together({ query: { of, clean, groups }, put }: { query: PathsQuery; put: Put }) {
  const change = (place: number, next: PathsQuery['groups'][number]) =>
    put({ groups: groups.with(place, next) })
  return (
    <FormPart
      title="Group pages"
      hint="Names that match a pattern are one node. * is a wildcard, as in /blog/*."
    >
      {of === 'pages' && (
        <Switch
          label="Group URLs that differ only by ids and dates"
          checked={clean}
          onChange={(next) => put({ clean: next })}
        />
      )}
      {groups.map((group, place) => (
        <div key={place} className="flex items-start gap-1.5">
          <div className="min-w-0 grow">
            <FieldPair>
              <TextInput
                aria-label={`Pattern ${place + 1}`}
                value={group.pattern}
                maxLength={500}
                onChange={({ target }) => change(place, { ...group, pattern: target.value })}
              />
              <TextInput
                aria-label={`Name of pattern ${place + 1}`}
                placeholder="Same as the pattern"
                value={group.name ?? ''}
                maxLength={500}
                onChange={({ target }) => change(place, { ...group, name: target.value || undefined })}
              />
            </FieldPair>
          </div>
          <IconButton
            label={`Remove pattern ${place + 1}`}
            icon={<Icon of={X} />}
            onClick={() => put({ groups: groups.toSpliced(place, 1) })}
          />
        </div>
      ))}
      <div className="flex">
        <Button
          size="sm"
          variant="quiet"
          icon={<Icon of={Plus} />}
          onClick={() => put({ groups: [...groups, { pattern: '/blog/*' }] })}
        >
          Add pattern
        </Button>
      </div>
    </FormPart>
  )
}
