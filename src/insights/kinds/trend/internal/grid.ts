import { mathWords, type MathWords } from '#insights/measures/maths'
import type { TrendRow } from '../query'
import type { TrendQuery, TrendSeries } from '../schema'
import type { BucketedPeriod } from './trend-periods'

export interface TrendFigures {
  values: (number | null)[]
  total: number | null
  week?: (number | null)[]
}

/** The numbers of one series in one period, by rank. */
export interface TrendGrid {
  at: (place: number) => TrendFigures
  /** The ranks with any numbers. */
  places: ReadonlySet<number>
}

const hoursInWeek = 168

export function trendGridOf(
  rows: readonly TrendRow[],
  series: TrendSeries,
  { chart, cumulative }: TrendQuery,
  { buckets }: BucketedPeriod,
): TrendGrid {
  const words = mathWords(series.measure.math)
  const found = new Map(rows.map(({ place, part, at, value }) => [`${place} ${part} ${at}`, value]))
  const starts = buckets.starts.map(Number)
  const numberAt = (place: number, part: TrendRow['part'], at: number) =>
    found.get(`${place} ${part} ${at}`) ?? words.ofNothing
  const at = (place: number): TrendFigures => {
    const values = starts.map((start) => numberAt(place, 'bucket', start))
    return {
      values: cumulative ? accumulated(values, words) : values,
      total: numberAt(place, 'total', 1),
      ...(chart === 'calendar' && {
        week: Array.from({ length: hoursInWeek }, (_, hour) => numberAt(place, 'hour', hour)),
      }),
    }
  }
  const places = new Set(rows.flatMap(({ place, value }) => (value ? [place] : [])))
  return { at, places }
}

type AccumulateStep = (before: number, now: number) => number

const add: AccumulateStep = (before, now) => before + now

const steps: Record<NonNullable<MathWords['accumulates']>, AccumulateStep> = {
  sum: add,
  first: add,
  least: Math.min,
  most: Math.max,
}

function accumulated(values: readonly (number | null)[], { accumulates }: MathWords): (number | null)[] {
  if (!accumulates) return [...values]
  const step = steps[accumulates]
  let before: number | null = null
  return values.map((value) => {
    before = before === null || value === null ? (value ?? before) : step(before, value)
    return before
  })
}

/** Replaces each value by the average of the known values among the last so many. */
export function smoothed(values: readonly (number | null)[], buckets: number): (number | null)[] {
  return values.map((_, i) => {
    const known = values.slice(Math.max(0, i - buckets + 1), i + 1).filter((value) => value !== null)
    return known.length > 0 ? known.reduce(add) / known.length : null
  })
}
