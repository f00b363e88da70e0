'use client'

import { HappeningFields } from './asking/HappeningFields'
import { MeasureFields } from './asking/MeasureFields'
import type { Measure } from './measure'
import type { Happening } from './question'

/** An event, which of them, and what of it becomes a number. Stands inside a PickersProvider. */
export function MeasuredEvent<Wanted extends Happening & { measure: Measure }>({
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
      <HappeningFields label={label} value={value} onChange={onChange} allowAny />
      <MeasureFields
        label={label}
        value={value.measure}
        onChange={(measure) => onChange({ ...value, measure })}
        event={value.event}
      />
    </>
  )
}
