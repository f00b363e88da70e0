import { dateTime, type Sql, sql, uint, uints } from '#engine/sql'
import {
  type BreakdownKey,
  breakdownKey,
  expandedKey,
  indexOfKey,
  rangeColumns,
  type BreakdownRanges,
} from '#insights/compile/internal/breakdowns'
import { bucketColumn } from '#insights/compile/internal/bucket-column'
import { Events } from '#insights/compile/internal/events'
import {
  aggregateOf,
  entityOf,
  type MergeableAggregate,
  mergeableAggregateOf,
} from '#insights/compile/measure'
import { hourOfWeek, type Period } from '#insights/calendar/period'
import { bothFilters } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import type { TrendQuery, TrendSeries } from './schema'
import type { BucketedPeriod } from './internal/trend-periods'

/** The keys that distinguish the lines of all series. */
export interface TrendKeys {
  ranges: BreakdownRanges
  /** The largest first; a line's rank counts from 1, and 0 is all others. */
  keys: readonly string[]
}

/** A number of a bucket, of the whole period, or of an hour of the week. */
export interface TrendRow {
  place: number
  part: 'bucket' | 'total' | 'hour'
  /** The beginning of the bucket in milliseconds; or the hour. */
  at: number
  value: number | null
}

/** The events of one series with their keys. */
export function seriesEvents(
  { query, scope, ranges }: { query: TrendQuery; scope: QueryScope; ranges: BreakdownRanges },
  series: TrendSeries,
  period: Period,
) {
  const names = series.event === null ? undefined : [series.event]
  const asked = { ...query, filter: bothFilters(query.filter, series.filter) }
  const events = new Events(scope, asked, { period, names })
  return { events, cut: breakdownKey(query.breakdowns, events, scope, ranges) }
}

/** Returns the ranges of the numbers that are divided into bins, in each series. */
export function rangesOf(query: TrendQuery, scope: QueryScope, period: Period): Sql | undefined {
  const parts = query.series.flatMap((series) => {
    const { events } = seriesEvents({ query, scope, ranges: [] }, series, period)
    const columns = rangeColumns(query.breakdowns, events)
    return columns ? [sql`select ${columns} from ${events.rows()} as events`] : []
  })
  return parts.length > 0 ? sql.join(parts, sql` union all `) : undefined
}

/** Returns the keys with the largest totals; with several series, each contributes its best in turn. */
export function largestKeys(
  query: TrendQuery,
  scope: QueryScope,
  period: Period,
  ranges: BreakdownRanges,
): Sql {
  const ranked = query.series.map((series, i) => {
    const { events, cut } = seriesEvents({ query, scope, ranges }, series, period)
    const aggregate = aggregateOf(series.measure, events)
    return sql`
      select key, ${uint(i)} as series, row_number() over (order by value desc nulls last, key) as rank
      from (
        select ${expandedKey(cut)} as key, ${aggregate} as value
        from ${events.rows()} as events
        group by key
      )`
  })
  return sql`
    select key, count() over () as in_all
    from (
      select key, min((rank, series)) as best
      from (${sql.join(ranked, sql` union all `)})
      group by key
    )
    order by best
    limit ${uint(limitOf(query))}`
}

/** A map shows every country. */
const countries = 300

export const limitOf = ({ chart, limit }: TrendQuery): number => (chart === 'map' ? countries : limit)

/** Returns the numbers of one series: for each rank those of the buckets, and separately that of the whole period. */
export function numbers(
  query: TrendQuery,
  series: TrendSeries,
  scope: QueryScope,
  { ranges, keys }: TrendKeys,
  bucketed: BucketedPeriod,
): Sql {
  const { events, cut } = seriesEvents({ query, scope, ranges }, series, bucketed.period)
  const entity = query.cumulative ? entityOf(series.measure, events) : undefined
  const place = placeOf(query, cut, keys)
  const hours = query.chart === 'calendar' ? hoursOf(bucketed, scope) : undefined
  const aggregate = entity ? sql`count()` : aggregateOf(series.measure, events)
  const mergeable = entity ? undefined : mergeableAggregateOf(series.measure, events)
  const rows = events.rows()
  const placed = entity
    ? firstTimes(entity, place, rows, bucketed)
    : sql`
      select
        *,
        ${place} as place,
        ${bucketColumn(sql`timestamp`, bucketed.buckets)} as bucket,
        timestamp < ${dateTime(bucketed.countedUntil)} as is_counted
        ${hours ? sql`, ${hours} as hour` : sql``}
      from ${rows} as events`
  const byHour = hours ? [sql`hour`] : []
  return mergeable
    ? grouped(groupedOnce(placed, mergeable, byHour), mergeable.merged(sql`state`), byHour)
    : grouped(placed, aggregate, byHour)
}

/** Selects a row for each group of events in the same groups of every kind: there are far fewer of them than events. */
const groupedOnce = (rows: Sql, { state }: MergeableAggregate, byHour: readonly Sql[]): Sql => {
  const columns = sql.join([sql`place`, sql`bucket`, sql`is_counted`, ...byHour])
  return sql`
    select ${columns}, ${state} as state
    from (${rows}) as events
    group by ${columns}`
}

/** Returns the rank of a line. Without breakdowns there is one line, with the first rank. */
export const placeOf = ({ breakdowns }: TrendQuery, cut: BreakdownKey, keys: readonly string[]): Sql =>
  breakdowns.length > 0 ? indexOfKey(cut, keys) : sql`toUInt64(1)`

/** Groups in several ways in one scan. */
const grouped = (rows: Sql, aggregate: Sql, [hour]: readonly Sql[]): Sql => sql`
  select place, part, at, value
  from (
    select
      place,
      multiIf(grouping(bucket) = 0, 'bucket', grouping(is_counted) = 0, 'total', 'hour') as part,
      multiIf(part = 'bucket', bucket, part = 'hour', ${hour ?? sql`toUInt64(0)`}, toUInt64(is_counted)) as at,
      ${aggregate} as value
    from (${rows}) as events
    group by grouping sets ((place, bucket), (place, is_counted)${hour ? sql`, (place, ${hour})` : sql``})
  )
  where part != 'total' or at = 1`

/** Counts everyone once, in the bucket of their first event. */
const firstTimes = (
  { who, isThere }: { who: Sql; isThere: Sql },
  place: Sql,
  rows: Sql,
  { buckets, countedUntil }: BucketedPeriod,
): Sql => sql`
  select
    ${place} as place,
    ${bucketColumn(sql`min(timestamp)`, buckets)} as bucket,
    min(timestamp) < ${dateTime(countedUntil)} as is_counted
  from ${rows} as events
  where ${isThere}
  group by place, ${who}`

/** Maps hours to hours of the week, by the calendar. */
function hoursOf({ buckets: { starts } }: BucketedPeriod, { calendar }: QueryScope): Sql {
  const hours = starts.map((start) => hourOfWeek(start, calendar))
  const bucket = bucketColumn(sql`timestamp`, { starts })
  return sql`transform(${bucket}, ${uints(starts.map(Number))}, ${uints(hours)}, toUInt64(0))`
}
