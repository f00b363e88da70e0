import { z } from 'zod'
import { type Sql, sql, uint } from '#engine/sql'
import { type Outcome, failedOutcome } from '#projects/problems'
import { valuesOfKey } from '#insights/compile/internal/breakdowns'
import { pointIndex } from '#insights/kind'
import type { Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import { activeDays, windowsOf } from './actives'
import { placeOf, type TrendKeys, seriesEvents } from '../query'
import type { TrendQuery, TrendSeries } from '../schema'
import { type BucketedPeriod, type TrendPeriods, trendPeriodsOf } from './trend-periods'

/** One number of a trend. */
export const trendPoint = z.object({
  series: z
    .number({ error: 'There are no persons behind a formula, only behind its series.' })
    .int()
    .min(0)
    .max(9),
  /** The breakdown of the line; undefined for persons of no line. */
  breakdown: z.array(z.string().nullable()).max(3).optional(),
  isOthers: z.boolean().default(false),
  /** The bucket; the whole period if absent. */
  bucket: pointIndex.optional(),
  isCompared: z.boolean().default(false),
})
type TrendPoint = z.infer<typeof trendPoint>

export async function personsBehind(
  query: TrendQuery,
  point: TrendPoint,
  scope: QueryScope,
  placesOf: (periods: TrendPeriods) => Promise<{ places: TrendKeys }>,
): Promise<Outcome<{ statement: Sql }>> {
  const series = query.series[point.series]
  if (!series) return failedOutcome('The question has no such series.', 'series')
  const intervals = await trendPeriodsOf(query, scope)
  if (!intervals.done) return intervals
  const shape = { interval: intervals.interval, isCumulative: query.cumulative }
  const period = point.isCompared ? intervals.compared : intervals.main
  const time = period && timeOf(point, series, period, shape, scope)
  if (!time) return failedOutcome('The question has no such bucket.', 'bucket')
  const { places } = await placesOf(intervals)
  const wanted = placeWanted(point, query, places)
  if (wanted === undefined) return failedOutcome('The answer has no such line.', 'breakdown')
  return { done: true, statement: persons(query, series, scope, time, places, wanted) }
}

function persons(
  query: TrendQuery,
  series: TrendSeries,
  scope: QueryScope,
  time: Period,
  { ranges, keys }: TrendKeys,
  wanted: number,
): Sql {
  const { events, cut } = seriesEvents({ query, scope, ranges }, series, time)
  return sql`
    select distinct person
    from (select person, ${placeOf(query, cut, keys)} as place from ${events.rows()} as events)
    where place = ${uint(wanted)}`
}

/** The rank, counted from 1; 0 for all others. */
function placeWanted(
  { breakdown = [], isOthers }: TrendPoint,
  { breakdowns }: TrendQuery,
  { keys, ranges }: TrendKeys,
): number | undefined {
  if (breakdowns.length === 0) return 1
  if (isOthers) return 0
  const wanted = JSON.stringify(breakdown)
  const found = keys.findIndex((key) => JSON.stringify(valuesOfKey(key, breakdowns, ranges)) === wanted)
  return found < 0 ? undefined : found + 1
}

/** The time that a number covers: its bucket, or for active persons all the days before. */
function timeOf(
  { bucket }: TrendPoint,
  series: TrendSeries,
  bucketed: BucketedPeriod,
  { interval, isCumulative }: { interval: TrendPeriods['interval']; isCumulative: boolean },
  { calendar }: QueryScope,
): Period | undefined {
  const { buckets, period, countedUntil } = bucketed
  const start = bucket === undefined ? undefined : buckets.starts[bucket]
  if (bucket !== undefined && !start) return undefined
  const days = activeDays(series)
  if (days !== undefined) {
    const windows = windowsOf(days, bucketed, interval, calendar)
    return windows.find(({ part, at }) =>
      start ? part === 'bucket' && at === start.getTime() : part === 'total',
    )
  }
  if (!start) return { from: period.from, until: countedUntil }
  const end = buckets.starts[(bucket ?? 0) + 1] ?? buckets.end
  return {
    from: start < period.from || isCumulative ? period.from : start,
    until: end < period.until ? end : period.until,
  }
}
