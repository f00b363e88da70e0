import { dateTime, type Sql, sql, uint, uints } from '#engine/sql'
import {
  type BreakdownKey,
  breakdownKey,
  expandedKey,
  indexOfKey,
  rangeColumns,
  type BreakdownRanges,
} from '../../compile/breakdowns'
import { bucketColumn } from '../../compile/bucket-column'
import { Events } from '../../compile/events'
import { aggregateOf, entityOf } from '../../compile/measure'
import { hourOfWeek, type Period } from '../../calendar/period'
import { bothFilters } from '../../question'
import type { QuestionScope } from '../../scope'
import type { TrendQuestion, TrendSeries } from './question'
import type { BucketedPeriod } from './trend-periods'

/** By what the lines of all series are told apart. */
export interface TrendKeys {
  ranges: BreakdownRanges
  /** The largest first; a line's place counts from 1, and 0 is that of all others. */
  keys: readonly string[]
}

/** One number: of a bucket, of the whole, or of an hour of the week. */
export interface TrendRow {
  place: number
  part: 'bucket' | 'total' | 'hour'
  /** Which bucket, by the milliseconds of its beginning; or which hour. */
  at: number
  value: number | null
}

/** The events of one series, and how they are put under keys. */
export function seriesEvents(
  { question, scope, ranges }: { question: TrendQuestion; scope: QuestionScope; ranges: BreakdownRanges },
  series: TrendSeries,
  period: Period,
) {
  const names = series.event === null ? undefined : [series.event]
  const asked = { ...question, filter: bothFilters(question.filter, series.filter) }
  const events = new Events(scope, asked, { period, names })
  return { events, cut: breakdownKey(question.breakdowns, events, scope, ranges) }
}

/** From where to where the numbers go that are put into bins, in each series. */
export function rangesOf(question: TrendQuestion, scope: QuestionScope, period: Period): Sql | undefined {
  const parts = question.series.flatMap((series) => {
    const { events } = seriesEvents({ question, scope, ranges: [] }, series, period)
    const columns = rangeColumns(question.breakdowns, events)
    return columns ? [sql`select ${columns} from ${events.rows()} as events`] : []
  })
  return parts.length > 0 ? sql.join(parts, sql` union all `) : undefined
}

/** The keys with the largest totals; where there are several series, the best of each take turns. */
export function largestKeys(
  question: TrendQuestion,
  scope: QuestionScope,
  period: Period,
  ranges: BreakdownRanges,
): Sql {
  const ranked = question.series.map((series, i) => {
    const { events, cut } = seriesEvents({ question, scope, ranges }, series, period)
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
    limit ${uint(limitOf(question))}`
}

/** A map has room for every country. */
const countries = 300

export const limitOf = ({ chart, limit }: TrendQuestion): number => (chart === 'map' ? countries : limit)

/** The numbers of one series: for each place those of the buckets and, each computed as such, that of the whole. */
export function numbers(
  question: TrendQuestion,
  series: TrendSeries,
  scope: QuestionScope,
  { ranges, keys }: TrendKeys,
  bucketed: BucketedPeriod,
): Sql {
  const { events, cut } = seriesEvents({ question, scope, ranges }, series, bucketed.period)
  const entity = question.cumulative ? entityOf(series.measure, events) : undefined
  const place = placeOf(question, cut, keys)
  const hours = question.chart === 'calendar' ? hoursOf(bucketed, scope) : undefined
  const aggregate = entity ? sql`count()` : aggregateOf(series.measure, events)
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
  return hours ? grouped(placed, aggregate, sql`hour`) : grouped(placed, aggregate)
}

/** Without breakdowns there is one line, the first. */
export const placeOf = ({ breakdowns }: TrendQuestion, cut: BreakdownKey, keys: readonly string[]): Sql =>
  breakdowns.length > 0 ? indexOfKey(cut, keys) : sql`toUInt64(1)`

/** One scan for all of them: the engine groups each row in several ways at once. */
const grouped = (rows: Sql, aggregate: Sql, hour?: Sql): Sql => sql`
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

/** Everybody once, in the bucket in which they first were there. */
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

/** Which hour of the week an hour is; known from the calendar, as everything about time. */
function hoursOf({ buckets: { starts } }: BucketedPeriod, { calendar }: QuestionScope): Sql {
  const hours = starts.map((start) => hourOfWeek(start, calendar))
  const bucket = bucketColumn(sql`timestamp`, { starts })
  return sql`transform(${bucket}, ${uints(starts.map(Number))}, ${uints(hours)}, toUInt64(0))`
}
