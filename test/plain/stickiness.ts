import type { StickinessQuery } from '#insights/kinds/stickiness/schema'
import {
  bucketsOf,
  type Calendar,
  comparedSoFar,
  comparedWith,
  type Period,
  periodOn,
} from '#insights/calendar/period'
import { type TestEvent, timeOf } from '../product/test-engine'

/** Stickiness by a pencil: on how many intervals each did it, counted one by one. */
export function expectedStickiness(query: StickinessQuery, events: readonly TestEvent[], calendar: Calendar) {
  const period = periodOn(calendar, query.period)
  const course = seriesFor(query, events, calendar, period)
  if (query.compare === undefined) return course
  const other = comparedSoFar(comparedWith(period, query.compare, calendar), period, calendar)
  return { ...course, compared: seriesFor(query, events, calendar, other) }
}

function seriesFor(query: StickinessQuery, events: readonly TestEvent[], calendar: Calendar, period: Period) {
  const { interval, every, series, per, cumulative } = query
  const isEmpty = period.from >= period.until
  const { starts } = (isEmpty ? undefined : bucketsOf(period, interval, calendar)) ?? { starts: [] }
  const intervals = Math.ceil(starts.length / every)
  const all = series.map((matcher) => {
    const days = new Map<string, Set<number>>()
    for (const event of events) {
      const at = timeOf(event)
      const who = per === 'person' ? event.person : event.groups?.[per.group]
      const isIt = matcher.event === null || event.event === matcher.event
      if (who === undefined || !isIt || at < period.from || at >= period.until) continue
      const place = Math.floor(starts.findLastIndex((start) => start <= at) / every)
      days.set(who, (days.get(who) ?? new Set()).add(place))
    }
    const often = [...days.values()].map(({ size }) => size)
    const counts = Array.from(
      { length: intervals },
      (_, i) => often.filter((size) => (cumulative ? size >= i + 1 : size === i + 1)).length,
    )
    return { counts, total: days.size }
  })
  return { counts: all.map(({ counts }) => counts), totals: all.map(({ total }) => total) }
}
