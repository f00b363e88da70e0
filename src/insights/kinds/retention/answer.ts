import { type BreakdownValues, valuesOfKey } from '../../compile/internal/breakdowns'
import { completedBuckets, type ReturnInterval } from '../../calendar/intervals'
import type { AnswerTable, AnswerCell } from '../../kind'
import type { Buckets } from '../../calendar/period'
import type { RetentionCell } from './query'
import type { RetentionQuery } from './schema'

/** The retention of one value of the breakdown, or of all. */
export interface RetentionSeries {
  /** Empty without a breakdown and for all others; null if the property was absent. */
  breakdown: BreakdownValues
  isOthers?: true
  /** The group's name, in a breakdown by group key. */
  name?: string | undefined
  /** The size of each cohort. */
  sizes: number[]
  /** The number in each cohort who returned after so many intervals; index 0 is the whole cohort. */
  counts: number[][]
  /** The counts as shares of the cohort; null if it is empty. */
  rates: (number | null)[][]
  /** The mean of all cohorts that have reached the interval, weighted by size. Null if there is none. */
  mean: (number | null)[]
}

export interface RetentionAnswer {
  interval: ReturnInterval
  /** The beginning of each cohort. */
  starts: string[]
  /** The end of the last one. */
  end: string
  /** The number of final cells of each cohort; later ones may still change. */
  complete: number[]
  series: RetentionSeries[]
}

export function retentionAnswer(
  query: RetentionQuery,
  cells: readonly RetentionCell[],
  buckets: Buckets,
  now: Date,
): RetentionAnswer {
  const over = completedBuckets(buckets, now)
  const complete = buckets.starts.map((_, cohort) => Math.max(0, over - cohort))
  const ranks = [...new Set(cells.map(({ rank }) => rank))].sort((one, other) => one - other)
  const series = (query.breakdown ? ranks : [1]).map((rank) => {
    const own = cells.filter((cell) => cell.rank === rank)
    return { ...nameOf(query, rank, own[0]?.value ?? ''), ...triangle(own, complete) }
  })
  return {
    interval: query.interval,
    starts: buckets.starts.map((start) => start.toISOString()),
    end: buckets.end.toISOString(),
    complete,
    series,
  }
}

function nameOf(
  { breakdown, limit }: RetentionQuery,
  rank: number,
  key: string,
): Pick<RetentionSeries, 'breakdown' | 'isOthers'> {
  if (!breakdown) return { breakdown: [] }
  return rank > limit ? { breakdown: [], isOthers: true } : { breakdown: valuesOfKey(key, [breakdown], []) }
}

function triangle(cells: readonly RetentionCell[], complete: readonly number[]) {
  const counts = complete.map((_, cohort) => Array<number>(complete.length - cohort).fill(0))
  for (const { cohort, gap, counted } of cells) {
    const row = counts[cohort]
    if (row && gap < row.length) row[gap] = counted
  }
  const sizes = counts.map(([size = 0]) => size)
  const rates = counts.map((row, i) => row.map((count) => part(count, sizes[i] ?? 0)))
  const mean = complete.map((_, gap) => meanAfter(gap, counts, complete))
  return { sizes, counts, rates, mean }
}

function meanAfter(gap: number, counts: readonly number[][], complete: readonly number[]): number | null {
  const far = counts.filter((_, cohort) => gap < (complete[cohort] ?? 0))
  const sum = (of: number) => far.reduce((total, row) => total + (row[of] ?? 0), 0)
  return part(sum(gap), sum(0))
}

const part = (count: number, of: number): number | null => (of === 0 ? null : count / of)

export function retentionTable(
  { starts, series }: RetentionAnswer,
  { breakdown, interval }: RetentionQuery,
): AnswerTable {
  const value = breakdown ? [{ name: 'Value', as: 'text' as const }] : []
  const gaps = starts.map((_, gap) => ({ name: `${capital(interval)} ${gap}`, as: 'percent' as const }))
  return {
    columns: [...value, { name: 'Cohort', as: 'date' }, { name: 'Size', as: 'number' }, ...gaps],
    rows: series.flatMap((one) =>
      starts.map((start, i): AnswerCell[] => [
        ...(breakdown ? [one.isOthers ? 'others' : (one.breakdown[0] ?? null)] : []),
        start,
        one.sizes[i] ?? 0,
        ...starts.map((_, gap) => one.rates[i]?.[gap] ?? null),
      ]),
    ),
  }
}

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
