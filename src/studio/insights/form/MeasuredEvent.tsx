'use client'

import type { Measure } from '#insights/compile/measure'
import type { EventMatcher } from '#insights/question'
import { EventMatcherFields } from './EventMatcherFields'
import { MeasureFields } from './MeasureFields'

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
