'use client'

import type { WatchedMetric } from '#alerts/watched-metric'
import { Combobox } from '#ui/form/Combobox'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { Select } from '#ui/form/Select'
import { FormPart } from './FormPart'
import type { Measure } from '#insights/compile/measure'
import type { EventMatcher } from '#insights/query-fields'
import { EventMatcherFields } from '../insights/form/EventMatcherFields'
import { MeasureFields } from '../insights/form/MeasureFields'

/** A saved trend, and what its lines are called. */
export interface TrendChoice {
  id: string
  name: string
  lines: string[]
}

const sorts = [
  { value: 'event', label: 'Event' },
  { value: 'insight', label: 'Saved trend' },
] as const

const anEvent: WatchedMetric = {
  type: 'event',
  event: '$pageview',
  measure: { math: 'total' },
  traffic: 'human',
}

/** Of which numbers it is. */
export function WatchedFields({
  value,
  onChange,
  trends,
}: {
  value: WatchedMetric
  onChange: (next: WatchedMetric) => void
  trends: readonly TrendChoice[]
}) {
  return (
    <FormPart title="Metric">
      <SegmentedControl
        label="Metric"
        options={sorts}
        value={value.type}
        onChange={(type) =>
          onChange(type === 'event' ? anEvent : { type, insight: trends[0]?.id ?? '', line: 0 })
        }
      />
      {value.type === 'event' ? (
        <MeasuredEvent label="Event" value={value} onChange={onChange} />
      ) : (
        <TrendFields value={value} onChange={onChange} trends={trends} />
      )}
    </FormPart>
  )
}

function TrendFields({
  value,
  onChange,
  trends,
}: {
  value: Extract<WatchedMetric, { type: 'insight' }>
  onChange: (next: WatchedMetric) => void
  trends: readonly TrendChoice[]
}) {
  const lines = trends.find(({ id }) => id === value.insight)?.lines ?? []
  return (
    <>
      <Combobox
        aria-label="Saved trend"
        placeholder="Choose a trend"
        options={trends.map(({ id, name }) => ({ value: id, label: name }))}
        value={value.insight || null}
        onChange={(insight) => onChange({ type: 'insight', insight: insight ?? '', line: 0 })}
        nothingFound="No saved trends"
        required
      />
      {lines.length > 1 && (
        <Select
          aria-label="Series"
          options={lines.map((label, index) => ({ value: String(index), label }))}
          value={String(value.line)}
          onChange={(line) => onChange({ ...value, line: Number(line) })}
        />
      )}
    </>
  )
}

/** An event, its filter and its measure. Needs a PickersProvider. */
function MeasuredEvent<Wanted extends EventMatcher & { measure: Measure }>({
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
