import { valuesOfKey } from '#insights/compile/internal/breakdowns'
import { groupNamesIn } from '#insights/compile/internal/group-names'
import { type Outcome, failedOutcome } from '#projects/problems'
import { type BreakdownRangeRow, rangesIn } from '#insights/compile/internal/breakdowns'
import { type CountedPersons, defineKind } from '#insights/kind'
import { countsPersons } from '#insights/compile/measure'
import type { QueryScope } from '#insights/scope'
import { activeDays, type ActiveRow, actives, rowsOfActives, windowsOf } from './internal/actives'
import { type TrendAnswer, trendAnswer, trendTable } from './answer'
import { personsBehind, trendPoint } from './internal/persons-behind'
import { type TrendGrid, trendGridOf } from './internal/grid'
import { largestKeys, limitOf, numbers, type TrendKeys, rangesOf, type TrendRow } from './query'
import { type TrendQuery, trendQuery, type TrendSeries } from './schema'
import { type BucketedPeriod, type TrendPeriods, trendPeriodsOf } from './internal/trend-periods'

export const trendKind = defineKind({
  about:
    'How numbers go over time: events counted or measured, up to ten series, formulas between them, breakdowns, a period to compare with.',
  query: trendQuery,
  answer,
  table: trendTable,
  counted,
  behind: {
    point: trendPoint,
    persons: (query, point, scope) =>
      personsBehind(query, point, scope, (periods) => keysOf(query, scope, periods)),
  },
})

/** Formulas may subtract, and accumulated numbers follow each person: both are exact. */
function counted({ series, formulas, cumulative }: TrendQuery): CountedPersons[] {
  if (formulas.length > 0 || cumulative) return []
  return series
    .filter(({ measure }) => countsPersons(measure))
    .map(({ event, filter, measure: { math } }) => ({
      names: event === null ? undefined : [event],
      filter,
      byVisitorId: math === 'visitors',
    }))
}

async function answer(query: TrendQuery, scope: QueryScope): Promise<Outcome<{ answer: TrendAnswer }>> {
  const intervals = await trendPeriodsOf(query, scope)
  if (!intervals.done) return intervals
  if (pointsIn(query, intervals) > mostPoints) return failedOutcome(tooManyPoints, 'limit')
  const { places, valuesInAll } = await keysOf(query, scope, intervals)
  const grids = (bucketed: BucketedPeriod) =>
    Promise.all(
      query.series.map((series) => gridFor({ query, scope, periods: intervals, places }, series, bucketed)),
    )
  const { breakdowns } = query
  const values = places.keys.map((key) => valuesOfKey(key, breakdowns, places.ranges))
  const [main, compared, groupNames] = await Promise.all([
    grids(intervals.main),
    intervals.compared && grids(intervals.compared),
    groupNamesIn(breakdowns, values, scope),
  ])
  return {
    done: true,
    answer: trendAnswer({
      query,
      periods: intervals,
      places,
      valuesInAll,
      main,
      compared,
      groupNames,
      scope,
    }),
  }
}

/** The largest number of points in an answer, which limits memory. */
const mostPoints = 150_000
const tooManyPoints =
  'So many values at so many points in time are too much for a chart. Show fewer values, or choose a longer interval.'

const pointsIn = (query: TrendQuery, { main: { buckets } }: TrendPeriods): number =>
  query.series.length * (query.breakdowns.length > 0 ? limitOf(query) : 1) * buckets.starts.length

/** Finds the values with a line of their own. They come from the main period, also for the compared one. */
async function keysOf(
  query: TrendQuery,
  scope: QueryScope,
  { main: { period } }: TrendPeriods,
): Promise<{ places: TrendKeys; valuesInAll: number | undefined }> {
  if (query.breakdowns.length === 0) return { places: { ranges: [], keys: [] }, valuesInAll: undefined }
  const statement = rangesOf(query, scope, period)
  const found = statement ? await scope.run<BreakdownRangeRow>(statement) : []
  const ranges = rangesIn(query.breakdowns, found)
  const rows = await scope.run<{ key: string; in_all: number }>(largestKeys(query, scope, period, ranges))
  return { places: { ranges, keys: rows.map(({ key }) => key) }, valuesInAll: rows[0]?.in_all ?? 0 }
}

interface PlannedTrend {
  query: TrendQuery
  scope: QueryScope
  periods: TrendPeriods
  places: TrendKeys
}

async function gridFor(
  query: PlannedTrend,
  series: TrendSeries,
  bucketed: BucketedPeriod,
): Promise<TrendGrid> {
  return trendGridOf(await rowsFor(query, series, bucketed), series, query.query, bucketed)
}

async function rowsFor(
  { query, scope, periods, places }: PlannedTrend,
  series: TrendSeries,
  bucketed: BucketedPeriod,
): Promise<TrendRow[]> {
  const days = activeDays(series)
  if (days === undefined) return await scope.run<TrendRow>(numbers(query, series, scope, places, bucketed))
  const windows = windowsOf(days, bucketed, periods.interval, scope.calendar)
  return rowsOfActives(await scope.run<ActiveRow>(actives(query, series, scope, places, windows)), windows)
}
