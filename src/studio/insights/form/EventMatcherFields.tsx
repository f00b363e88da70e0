'use client'

import type { EventMatcher } from '#insights/query-fields'
import { usePickers } from './pickers'

/** An event and its filter. */
export function EventMatcherFields<Wanted extends EventMatcher>({
  label,
  value,
  onChange,
  allowAny,
}: {
  label: string
  value: Wanted
  onChange: (next: Wanted) => void
  allowAny?: boolean
}) {
  const { Event, Filter } = usePickers()
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Event
        label={label}
        value={value.event}
        onChange={(event) => onChange({ ...value, event })}
        allowAny={allowAny}
      />
      <Filter
        label={`Filters of ${label.toLowerCase()}`}
        value={value.filter}
        onChange={(filter) => onChange({ ...value, filter })}
        event={value.event}
      />
    </div>
  )
}
