import { type Outcome, undone } from '../../../projects/problems'
import { type RangeRow, rangesIn } from '../../breakdowns'
import { kindOf } from '../../kind'
import type { Scope } from '../../scope'
import { activeDays, type ActiveRow, actives, rowsOfActives, windowsOf } from './actives'
import { type TrendAnswer, trendAnswer, trendTable } from './answer'
import { personsBehind, trendPoint } from './behind'
import { type Grid, gridOf } from './grid'
import { largestKeys, limitOf, numbers, type Places, rangesOf, type TrendRow } from './query'
import { type TrendQuestion, trendQuestion, type TrendSeries } from './question'
import { type Stretch, type Stretches, stretchesOf } from './stretch'

export const trendKind = kindOf({
  label: 'Trend',
  about: 'How numbers go over time.',
  question: trendQuestion,
  answer,
  table: trendTable,
  behind: {
    point: trendPoint,
    persons: (question, point, scope) =>
      personsBehind(question, point, scope, (stretches) => placesOf(question, scope, stretches)),
  },
})

async function answer(question: TrendQuestion, scope: Scope): Promise<Outcome<{ answer: TrendAnswer }>> {
  const stretches = await stretchesOf(question, scope)
  if (!stretches.done) return stretches
  if (pointsIn(question, stretches) > mostPoints) return undone(tooManyPoints, 'limit')
  const { places, valuesInAll } = await placesOf(question, scope, stretches)
  const grids = (stretch: Stretch) =>
    Promise.all(
      question.series.map((series) => gridFor({ question, scope, stretches, places }, series, stretch)),
    )
  const [main, compared] = await Promise.all([
    grids(stretches.main),
    stretches.compared && grids(stretches.compared),
  ])
  const now = scope.calendar.now
  return {
    done: true,
    answer: trendAnswer({ question, stretches, places, valuesInAll, main, compared, now }),
  }
}

/** More than that is nothing that anybody looks at, and heavy on everything on the way. */
const mostPoints = 150_000
const tooManyPoints =
  'So many values at so many points in time are too much for a chart. Show fewer values, or choose a longer interval.'

const pointsIn = (question: TrendQuestion, { main: { buckets } }: Stretches): number =>
  question.series.length * (question.breakdowns.length > 0 ? limitOf(question) : 1) * buckets.starts.length

/** Which values have a line of their own. They are those of the main period, also where another one is shown. */
async function placesOf(
  question: TrendQuestion,
  scope: Scope,
  { main: { period } }: Stretches,
): Promise<{ places: Places; valuesInAll: number | undefined }> {
  if (question.breakdowns.length === 0) return { places: { ranges: [], keys: [] }, valuesInAll: undefined }
  const statement = rangesOf(question, scope, period)
  const found = statement ? await scope.run<RangeRow>(statement) : []
  const ranges = rangesIn(question.breakdowns, found)
  const rows = await scope.run<{ key: string; in_all: number }>(largestKeys(question, scope, period, ranges))
  return { places: { ranges, keys: rows.map(({ key }) => key) }, valuesInAll: rows[0]?.in_all ?? 0 }
}

interface Ground {
  question: TrendQuestion
  scope: Scope
  stretches: Stretches
  places: Places
}

async function gridFor(ground: Ground, series: TrendSeries, stretch: Stretch): Promise<Grid> {
  return gridOf(await rowsFor(ground, series, stretch), series, ground.question, stretch)
}

async function rowsFor(
  { question, scope, stretches, places }: Ground,
  series: TrendSeries,
  stretch: Stretch,
): Promise<TrendRow[]> {
  const days = activeDays(series)
  if (days === undefined) return await scope.run<TrendRow>(numbers(question, series, scope, places, stretch))
  const windows = windowsOf(days, stretch, stretches.interval, scope.calendar)
  return rowsOfActives(await scope.run<ActiveRow>(actives(question, series, scope, places, windows)), windows)
}
