import type { StickinessQuestion } from '#insights/kinds/stickiness/question'
import {
  bucketsOf,
  type Calendar,
  comparedSoFar,
  comparedWith,
  type Period,
  periodOn,
} from '#insights/calendar/period'
import { type TestEvent, timeOf } from '../test-engine'

/** Stickiness by a pencil: on how many intervals each did it, counted one by one. */
export function expectedStickiness(
  question: StickinessQuestion,
  events: readonly TestEvent[],
  calendar: Calendar,
) {
  const period = periodOn(calendar, question.period)
  const course = seriesFor(question, events, calendar, period)
  if (question.compare === undefined) return course
  const other = comparedSoFar(comparedWith(period, question.compare, calendar), period, calendar)
  return { ...course, compared: seriesFor(question, events, calendar, other) }
}

function seriesFor(
  question: StickinessQuestion,
  events: readonly TestEvent[],
  calendar: Calendar,
  period: Period,
) {
  const { interval, every, series, per, cumulative } = question
  const isEmpty = period.from >= period.until
  const { starts } = (isEmpty ? undefined : bucketsOf(period, interval, calendar)) ?? { starts: [] }
  const intervals = Math.ceil(starts.length / every)
  const all = series.map((happening) => {
    const days = new Map<string, Set<number>>()
    for (const event of events) {
      const at = timeOf(event)
      const who = per === 'person' ? event.person : event.groups?.[per.group]
      const isIt = happening.event === null || event.event === happening.event
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
