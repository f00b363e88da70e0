'use client'

import type { Watched } from '../../../../../../alerts/watched'
import { MeasuredEvent } from '../../../../../../insights/MeasuredEvent'
import { Combobox } from '../../../../../../ui/Combobox'
import { SegmentedControl } from '../../../../../../ui/SegmentedControl'
import { Select } from '../../../../../../ui/Select'
import { Part } from './Part'

/** A saved trend, and what its lines are called. */
export interface TrendChoice {
  id: string
  name: string
  lines: string[]
}

const sorts = [
  { value: 'event', label: 'An event' },
  { value: 'insight', label: 'A saved trend' },
] as const

const anEvent: Watched = { type: 'event', event: '$pageview', measure: { math: 'total' }, traffic: 'human' }

/** Of which numbers it is. */
export function WatchedFields({
  value,
  onChange,
  trends,
}: {
  value: Watched
  onChange: (next: Watched) => void
  trends: readonly TrendChoice[]
}) {
  return (
    <Part title="What">
      <SegmentedControl
        label="What is watched"
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
    </Part>
  )
}

function TrendFields({
  value,
  onChange,
  trends,
}: {
  value: Extract<Watched, { type: 'insight' }>
  onChange: (next: Watched) => void
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
        nothingFound="No trend is saved"
        required
      />
      {lines.length > 1 && (
        <Select
          aria-label="Line of the trend"
          options={lines.map((label, place) => ({ value: String(place), label }))}
          value={String(value.line)}
          onChange={(line) => onChange({ ...value, line: Number(line) })}
        />
      )}
    </>
  )
}
