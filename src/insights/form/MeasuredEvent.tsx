'use client'

import { EventMatcherFields } from './EventMatcherFields'
import { MeasureFields } from './MeasureFields'
import type { Measure } from '../compile/measure'
import type { EventMatcher } from '../question'

/** An event, its filter and its measure. Needs a PickersProvider. */
export function MeasuredEvent<Wanted extends EventMatcher & { measure: Measure }>({
  label,
  value,
  onChange,
}: {
  label: string
  value: Wanted
  onChange: (next: Wanted) => void
}) {
  return (
    <>
      <EventMatcherFields label={label} value={value} onChange={onChange} allowAny />
      <MeasureFields
        label={label}
        value={value.measure}
        onChange={(measure) => onChange({ ...value, measure })}
        event={value.event}
      />
    </>
  )
}
