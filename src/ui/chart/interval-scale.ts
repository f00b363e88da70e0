import type { Unit } from '../format'
import { round } from './internal/axis'
import { ticks } from './internal/ticks'

/** An estimate with its interval. */
export interface ChartInterval {
  value: number
  low: number
  high: number
}

/** The positions of amounts on a row, in percent of its width. Intervals of one scale can be compared by eye. */
export interface IntervalScale {
  min: number
  max: number
  /** The amounts at which lines are drawn. */
  at: readonly number[]
  position: (amount: number) => number
}

/** An interval that is wider than so many typical ones is cut off, for it would hide the others. */
const widest = 4

/** One scale for all intervals, with 0 on it. `others` are amounts that have to be on it, such as margins. */
export function intervalScale(
  intervals: readonly ChartInterval[],
  others: readonly number[] = [],
  unit?: Unit,
): IntervalScale {
  const reaches = intervals
    .map(({ low, high }) => Math.max(Math.abs(low), Math.abs(high)))
    .filter((reach) => Number.isFinite(reach))
    .toSorted((one, other) => one - other)
  const typical = reaches[Math.floor((reaches.length - 1) / 2)] ?? 1
  const limit = Math.max(widest * typical, ...intervals.map(({ value }) => Math.abs(value)))
  const ends = intervals.flatMap(({ low, high }) => [Math.max(low, -limit), Math.min(high, limit)])
  const { min, max, at } = ticks([...ends, ...others], unit)
  const share = (amount: number) => round(((amount - min) / (max - min)) * 100)
  return { min, max, at, position: (amount) => Math.min(100, Math.max(0, share(amount))) }
}
