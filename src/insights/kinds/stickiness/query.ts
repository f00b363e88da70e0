import { type Sql, sql, uint } from '#engine/sql'
import { hasCountedEntity, countedEntityColumn } from '#insights/compile/counted-entity'
import { Events } from '#insights/compile/internal/events'
import { matchesEvent, eventNamesOf } from '#insights/compile/internal/event-matchers'
import { activityBit } from '#insights/compile/internal/activity-bitmask'
import type { Buckets, Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import type { StickinessQuery } from './schema'

/** The number of persons active in exactly so many intervals. */
export interface StickinessRow {
  /** The series, counted from 1. */
  series: number
  intervals: number
  counted: number
}

export const stickiness = (
  query: StickinessQuery,
  scope: QueryScope,
  period: Period,
  buckets: Buckets,
): Sql => sql`
  select series, toUInt32(bitCount(marks)) as intervals, count() as counted
  from (${activeIn(query, scope, period, buckets)})
  array join each as marks, arrayEnumerate(each) as series
  where marks != 0
  group by series, intervals`

/** Returns the active intervals of each person, for each series. */
function activeIn(query: StickinessQuery, scope: QueryScope, period: Period, buckets: Buckets): Sql {
  const { series, per } = query
  const events = new Events(scope, query, { period, names: eventNamesOf(series) })
  const mark = activityBit(sql`timestamp`, buckets.starts)
  const each = series.map((matcher) => sql`groupBitOrIf(${mark}, ${matchesEvent(matcher, events)})`)
  return sql`
    select ${countedEntityColumn(per, events)} as who, [${sql.join(each)}] as each
    from ${events.rows()} as events
    where ${hasCountedEntity(per, events)}
    group by who`
}

export const personsOn = (
  query: StickinessQuery,
  { series, n }: { series: number; n: number },
  scope: QueryScope,
  period: Period,
  buckets: Buckets,
): Sql => sql`
  select who as person
  from (${activeIn(query, scope, period, buckets)})
  where bitCount(each[${uint(series + 1)}]) ${query.cumulative ? sql`>=` : sql`=`} ${uint(n)}`
