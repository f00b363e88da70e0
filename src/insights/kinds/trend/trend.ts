import { valuesOfKey } from '../../compile/breakdowns'
import { groupNamesIn } from '../../compile/group-names'
import { type Outcome, failedOutcome } from '#projects/problems'
import { type BreakdownRangeRow, rangesIn } from '../../compile/breakdowns'
import { defineKind } from '../../kind'
import type { QuestionScope } from '../../scope'
import { activeDays, type ActiveRow, actives, rowsOfActives, windowsOf } from './actives'
import { type TrendAnswer, trendAnswer, trendTable } from './answer'
import { personsBehind, trendPoint } from './persons-behind'
import { type TrendGrid, trendGridOf } from './grid'
import { largestKeys, limitOf, numbers, type TrendKeys, rangesOf, type TrendRow } from './query'
import { type TrendQuestion, trendQuestion, type TrendSeries } from './question'
import { type BucketedPeriod, type TrendPeriods, trendPeriodsOf } from './trend-periods'

export const trendKind = defineKind({
  label: 'Trend',
  about: 'A number over time.',
  question: trendQuestion,
  answer,
  table: trendTable,
  behind: {
    point: trendPoint,
    persons: (question, point, scope) =>
      personsBehind(question, point, scope, (stretches) => keysOf(question, scope, stretches)),
  },
})

async function answer(
  question: TrendQuestion,
  scope: QuestionScope,
): Promise<Outcome<{ answer: TrendAnswer }>> {
  const stretches = await trendPeriodsOf(question, scope)
  if (!stretches.done) return stretches
  if (pointsIn(question, stretches) > mostPoints) return failedOutcome(tooManyPoints, 'limit')
  const { places, valuesInAll } = await keysOf(question, scope, stretches)
  const grids = (bucketed: BucketedPeriod) =>
    Promise.all(
      question.series.map((series) => gridFor({ question, scope, stretches, places }, series, bucketed)),
    )
  const { breakdowns } = question
  const values = places.keys.map((key) => valuesOfKey(key, breakdowns, places.ranges))
  const [main, compared, groupNames] = await Promise.all([
    grids(stretches.main),
    stretches.compared && grids(stretches.compared),
    groupNamesIn(breakdowns, values, scope),
  ])
  const now = scope.calendar.now
  return {
    done: true,
    answer: trendAnswer({ question, stretches, places, valuesInAll, main, compared, groupNames, now }),
  }
}

/** The largest number of points in an answer, which limits memory. */
const mostPoints = 150_000
const tooManyPoints =
  'So many values at so many points in time are too much for a chart. Show fewer values, or choose a longer interval.'

const pointsIn = (question: TrendQuestion, { main: { buckets } }: TrendPeriods): number =>
  question.series.length * (question.breakdowns.length > 0 ? limitOf(question) : 1) * buckets.starts.length

/** Finds the values with a line of their own. They come from the main period, also for the compared one. */
async function keysOf(
  question: TrendQuestion,
  scope: QuestionScope,
  { main: { period } }: TrendPeriods,
): Promise<{ places: TrendKeys; valuesInAll: number | undefined }> {
  if (question.breakdowns.length === 0) return { places: { ranges: [], keys: [] }, valuesInAll: undefined }
  const statement = rangesOf(question, scope, period)
  const found = statement ? await scope.run<BreakdownRangeRow>(statement) : []
  const ranges = rangesIn(question.breakdowns, found)
  const rows = await scope.run<{ key: string; in_all: number }>(largestKeys(question, scope, period, ranges))
  return { places: { ranges, keys: rows.map(({ key }) => key) }, valuesInAll: rows[0]?.in_all ?? 0 }
}

interface TrendQuery {
  question: TrendQuestion
  scope: QuestionScope
  stretches: TrendPeriods
  places: TrendKeys
}

async function gridFor(query: TrendQuery, series: TrendSeries, bucketed: BucketedPeriod): Promise<TrendGrid> {
  return trendGridOf(await rowsFor(query, series, bucketed), series, query.question, bucketed)
}

async function rowsFor(
  { question, scope, stretches, places }: TrendQuery,
  series: TrendSeries,
  bucketed: BucketedPeriod,
): Promise<TrendRow[]> {
  const days = activeDays(series)
  if (days === undefined) return await scope.run<TrendRow>(numbers(question, series, scope, places, bucketed))
  const windows = windowsOf(days, bucketed, stretches.interval, scope.calendar)
  return rowsOfActives(await scope.run<ActiveRow>(actives(question, series, scope, places, windows)), windows)
}
