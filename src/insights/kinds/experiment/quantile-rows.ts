import { float, type Sql, sql } from '#engine/sql'
import { matchesEvent } from '../../compile/event-matchers'
import { Events } from '../../compile/events'
import type { QuestionScope } from '../../scope'
import { isInWindow } from './metric-values'
import { eventsOfExposed, type ExperimentRange, namesOf } from './query'
import type { ExperimentQuestion, MeasuredMetric } from './question'

/** The numbers of events of a variant and a phase that a quantile is of. */
export interface QuantileRow {
  variant: string
  phase: number
  segment: string
  day: string
  /** The number of events, the quantile, and those at the ends of its interval. */
  numbers: [events: number, value: number, low: number, high: number]
}

/** Returns a quantile of the events of each variant. Its interval lies between two order statistics. */
export function quantileRows(
  metric: Extract<MeasuredMetric, { type: 'quantile' }>,
  question: ExperimentQuestion,
  scope: QuestionScope,
  range: ExperimentRange,
): Sql {
  const { happening, property, level } = metric
  const names = namesOf({ ...question, metrics: [metric] })
  const events = new Events(scope, question, { period: range.events, names })
  const number = events.property({ type: 'event', key: property })
  const value = sql`toFloat64OrNull(${number.text})`
  const reach = sql`(1.959963984540054 * sqrt(${float(level)} * ${float(1 - level)} * events_in_all))`
  const day = range.knownAt.length === 0 ? sql`day` : sql`day_known`
  const at = (position: Sql) =>
    sql`arrayElement(sorted, toUInt64(greatest(1, least(toFloat64(events_in_all), ${position}))))`
  return sql`
    select variant, phase, segment, ${day} as day, [toFloat64(events_in_all), middle, ${at(sql`floor(${float(level)} * events_in_all - ${reach})`)}, ${at(sql`ceil(${float(level)} * events_in_all + ${reach})`)}] as numbers
    from (
      select
        variant, phase, segment, ${day},
        count() as events_in_all,
        quantileExactInclusive(${float(level)})(amount) as middle,
        arraySort(groupArray(amount)) as sorted
      from (
        select *, assumeNotNull(${value}) as amount
        ${eventsOfExposed(question, events, { scope, range })}
      )
      where ${matchesEvent(happening, events)} and ${isInWindow(metric)} and isFinite(ifNull(${value}, nan))
      group by variant, phase, segment, ${day}
    )
    order by variant, phase, segment, day`
}
