import { float, type Sql, sql, uint } from '#engine/sql'
import { matchesEvent } from '#insights/compile/internal/event-matchers'
import { Events } from '#insights/compile/internal/events'
import type { QueryScope } from '#insights/scope'
import { isInWindow, secondsToComplete } from './metric-values'
import { eventsOfExposed, type ExperimentRange, lastKnown, namesOf, variantOf } from '../query'
import type { ExperimentQuery, MeasuredMetric } from '../schema'

/** The numbers of events of a variant and a phase that a quantile is of. */
export interface QuantileRow {
  variant: string
  phase: number
  segment: string
  day: string
  /** The number of events and of their units, the quantile, and the events at the ends of its interval. */
  numbers: [events: number, units: number, value: number, low: number, high: number]
}

/**
 * Returns a quantile of the events of each variant. Its interval lies between the order statistics whose shares are 1.96
 * standard errors from the level: those of a ratio of two totals of each unit, for the events of one unit are alike.
 * R. Woodruff, Confidence intervals for medians and other position measures, 1952.
 */
export function quantileRows(
  metric: Extract<MeasuredMetric, { type: 'quantile' }>,
  query: ExperimentQuery,
  scope: QueryScope,
  range: ExperimentRange,
): Sql {
  const { happening, property, level } = metric
  const names = namesOf({ ...query, metrics: [metric] })
  const events = new Events(scope, query, { period: range.events, names })
  const number = events.property({ type: 'event', key: property })
  const value = sql`toFloat64OrNull(${number.text})`
  const day = range.knownAt.length === 0 ? sql`day` : sql`day_known`
  const seconds = secondsToComplete(metric)
  const isCounted =
    seconds === 0 ? sql`true` : sql`exposed_at + toIntervalSecond(${uint(seconds)}) <= ${lastKnown(range)}`
  const rank = sql`(${float(level)} * events_in_all)`
  const at = (position: Sql) =>
    sql`arrayElement(sorted, toUInt64(greatest(1, least(toFloat64(events_in_all), ${position}))))`
  return sql`
    select ${variantOf(query, sql`variant_index`)} as variant, phase, segment, day, [toFloat64(events_in_all), toFloat64(units_in_all), middle, ${at(sql`floor(${rank} - reach)`)}, ${at(sql`ceil(${rank} + reach)`)}] as numbers
    from (
      select
        *,
        arraySort(arrayFlatten(amounts_of_units)) as sorted,
        length(sorted) as events_in_all,
        length(amounts_of_units) as units_in_all,
        arrayCount(amount -> amount < middle, sorted) as below,
        arrayCount(amount -> amount = middle, sorted) as equal,
        if(equal = 0, 0, greatest(0, least(1, (${rank} - below) / equal))) as part,
        arrayMap(amounts -> arrayCount(amount -> amount < middle, amounts) + part * arrayCount(amount -> amount = middle, amounts), amounts_of_units) as shares,
        arraySum(shares) / events_in_all as share,
        arraySum((own, amounts) -> pow(own - share * length(amounts), 2), shares, amounts_of_units) as squares,
        1.959963984540054 * sqrt(if(units_in_all < 2, ${rank} * ${float(1 - level)}, squares * units_in_all / (units_in_all - 1))) as reach
      from (
        select
          variant_index, phase, segment, day,
          groupArray(amounts) as amounts_of_units,
          quantileExactInclusiveArray(${float(level)})(amounts) as middle
        from (
          select variant_index, phase, segment, ${day} as day, groupArray(amount) as amounts
          from (
            select *, assumeNotNull(${value}) as amount
            ${eventsOfExposed(query, events, { scope, range })}
          )
          where ${matchesEvent(happening, events)} and ${isInWindow(metric)} and ${isCounted} and isFinite(ifNull(${value}, nan))
          group by variant_index, phase, segment, day, unit_of_event
        )
        group by variant_index, phase, segment, day
      )
    )
    order by variant, phase, segment, day`
}
