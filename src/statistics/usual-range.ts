import { normalQuantile, studentQuantile } from './special-functions'

/** The range that a number of a week is usually in, by the weeks before. */
export interface UsualRange {
  low: number
  /** The median of the weeks. */
  middle: number
  high: number
  /** The number of weeks that it was computed from. */
  weeks: number
}

interface UsualRangeSettings {
  /** The probability with which a further week of the same kind is outside. */
  level: number
  /** The amount that independent events of chance add at a time: 1 of a count, more of money. */
  unit?: number
}

/** With fewer weeks, a range is too wide to be of use. */
export const leastWeeks = 5

/** A smaller change is of no interest, however steady the weeks before were. */
const smallestChange = 0.1

/** The level at which a week of the history is taken to be no usual one. */
const outlierLevel = 0.0005

/**
 * A prediction interval about the median, on the scale of square roots, where the noise of counts is the same at every
 * size. It is never narrower than that noise, nor than a tenth of the median. The one week that is farthest off is left
 * out if it is unusual by the others, so that a launch does not make every later week usual. Undefined with too few
 * weeks. See docs/decisions/0074-a-week-against-the-weeks-before.md.
 */
export function usualRange(
  history: readonly number[],
  { level, unit = 1 }: UsualRangeSettings,
): UsualRange | undefined {
  if (history.length < leastWeeks) return undefined
  const roots = withoutOutlier(history.map((value) => rootOf(value / unit)))
  const { low, high } = predictionInterval(roots, level)
  const middle = median(roots)
  const amount = (root: number): number => Math.max(0, (root / 2) ** 2 - anscombe) * unit
  return {
    low: Math.min(amount(low), amount(middle) * (1 - smallestChange)),
    middle: amount(middle),
    high: Math.max(amount(high), amount(middle) * (1 + smallestChange)),
    weeks: roots.length,
  }
}

export const isUsual = (value: number, { low, high }: Pick<UsualRange, 'low' | 'high'>): boolean =>
  low <= value && value <= high

/** Anscombe’s transform gives Poisson counts a standard deviation of about 1. */
const anscombe = 3 / 8
const rootOf = (value: number): number => 2 * Math.sqrt(Math.max(0, value) + anscombe)

function withoutOutlier(roots: readonly number[]): readonly number[] {
  if (roots.length <= leastWeeks) return roots
  const middle = median(roots)
  const farthest = roots.reduce((one, other) =>
    Math.abs(other - middle) > Math.abs(one - middle) ? other : one,
  )
  const others = roots.toSpliced(roots.indexOf(farthest), 1)
  return isUsual(farthest, predictionInterval(others, outlierLevel)) ? roots : others
}

/** By Student’s distribution where the weeks vary more than counts do by chance, and never narrower than that. */
function predictionInterval(roots: readonly number[], level: number): { low: number; high: number } {
  const count = roots.length
  const middle = median(roots)
  // the median of normal values varies π/2 times as much as their mean
  const widening = Math.sqrt(1 + Math.PI / (2 * count))
  const { student, chance } = quantilesFor(level, count)
  const reach = Math.max(student * deviation(roots), chance) * widening
  return { low: Math.max(rootOf(0), middle - reach), high: middle + reach }
}

interface Quantiles {
  student: number
  /** Of a normal distribution. */
  chance: number
}

/** A quantile takes a millisecond to find, and all numbers of a project need the same ones. */
const knownQuantiles = new Map<string, Quantiles>()
const mostKnown = 1000

function quantilesFor(level: number, count: number): Quantiles {
  const name = `${level} ${count}`
  const known = knownQuantiles.get(name)
  if (known) return known
  const found = {
    student: studentQuantile(1 - level / 2, count - 1),
    chance: normalQuantile(1 - level / 2),
  }
  if (knownQuantiles.size >= mostKnown) knownQuantiles.clear()
  knownQuantiles.set(name, found)
  return found
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const half = Math.floor(sorted.length / 2)
  const [upper = 0, lower = upper] = [sorted[half], sorted[half - 1]]
  return sorted.length % 2 === 1 ? upper : (lower + upper) / 2
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1))
}
