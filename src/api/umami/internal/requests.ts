import type { Filter } from '#filters/filter'
import type { Interval } from '#insights/calendar/period'
import type { Outcome } from '#projects/problems'
import type { UmamiCall } from './endpoint'
import { filterOf } from './filters'
import { intervalOf, rangeOf, timeZoneIn, type UmamiRange } from './periods'

/** The events that a request is about. */
export interface UmamiSelection {
  range: UmamiRange
  period: string
  filter: Filter | undefined
}

/** The parameters without a search that earlier versions call by the name of a filter. */
export function withoutSearch(query: URLSearchParams): URLSearchParams {
  const others = new URLSearchParams(query)
  others.delete('query')
  return others
}

export function selectionOf(call: Pick<UmamiCall, 'query'>): Outcome<UmamiSelection> {
  const read = rangeOf(call)
  if (!read.done) return read
  const filtered = filterOf(call)
  if (!filtered.done) return filtered
  return { done: true, range: read.range, period: read.period, filter: filtered.filter }
}

/** A selection whose numbers are told by intervals. */
export interface UmamiChart extends UmamiSelection {
  interval: Interval
  timeZone: string
  /** Whether intervals are written in local time: always in version 2, otherwise where a time zone is named. */
  isLocal: boolean
}

export function chartRequestOf(call: UmamiCall): Outcome<UmamiChart> {
  const selection = selectionOf(call)
  if (!selection.done) return selection
  const unit = intervalOf(call.query.get('unit'), selection.range)
  if (!unit.done) return unit
  const zone = timeZoneIn(call.query.get('timezone') ?? call.query.get('tz'))
  if (!zone.done) return zone
  const { timeZone, isNamed } = zone
  return { ...selection, interval: unit.interval, timeZone, isLocal: isNamed || call.version === 2 }
}
