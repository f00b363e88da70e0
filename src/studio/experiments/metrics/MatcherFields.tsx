'use client'

import { usePickers } from '#studio/insights/form/pickers'
import type { EventMatcher } from '#insights/query-fields'

interface MatcherFieldsProps {
  label: string
  value: EventMatcher
  onChange: (next: EventMatcher) => void
  /** Offers no “any event”. */
  needsEvent?: boolean
}

/** An event and conditions on it. */
export function MatcherFields({ label, value, onChange, needsEvent = false }: MatcherFieldsProps) {
  const { Event, Filter } = usePickers()
  const { event, filter } = value
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <ShownLabel text={label} />
      <Event
        label={label}
        value={event === '' ? undefined : event}
        onChange={(next) => onChange({ ...value, event: next })}
        allowAny={!needsEvent}
      />
      <Filter
        label={`Conditions of ${label.toLowerCase()}`}
        value={filter}
        onChange={(next) => onChange({ event, ...(next && { filter: next }) })}
        event={event === '' ? null : event}
      />
    </div>
  )
}

interface PropertyFieldProps {
  label: string
  value: string
  event: string | null
  onChange: (key: string) => void
}

/** A property of the event. */
export function PropertyField({ label, value, event, onChange }: PropertyFieldProps) {
  const { Property } = usePickers()
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <ShownLabel text={label} />
      <Property
        label={label}
        value={value === '' ? undefined : { type: 'event', key: value }}
        onChange={(next) => onChange(next?.key ?? '')}
        of={['event']}
        event={event === '' ? null : event}
        required
      />
    </div>
  )
}

/** The pickers have labels of their own for screen readers. */
const ShownLabel = ({ text }: { text: string }) => (
  <span aria-hidden className="-mb-0.5 font-medium">
    {text}
  </span>
)
