import type { StickinessQuestion } from '../../src/insights/kinds/stickiness/question'
import {
  bucketsOf,
  type Calendar,
  comparedSoFar,
  comparedWith,
  type Period,
  periodOn,
} from '../../src/insights/period'
import { type Told, timeOf } from '../questions'

/** Stickiness by a pencil: on how many intervals each did it, counted one by one. */
export function plainStickiness(question: StickinessQuestion, events: readonly Told[], calendar: Calendar) {
  const period = periodOn(calendar, question.period)
  const course = courseOf(question, events, calendar, period)
  if (question.compare === undefined) return course
  const other = comparedSoFar(comparedWith(period, question.compare, calendar), period, calendar)
  return { ...course, compared: courseOf(question, events, calendar, other) }
}

function courseOf(question: StickinessQuestion, events: readonly Told[], calendar: Calendar, period: Period) {
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
