import { wilsonInterval } from '#statistics/proportions'
import { studentQuantile } from '#statistics/special-functions'

/** A number that was estimated from a sample, and the interval that contains the true one in 95 of 100 samples. */
export interface Estimate {
  value: number
  low: number
  high: number
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** A share with Wilson’s interval, which stays within 0 and 1 and is of use for a handful of answers. */
export function shareEstimate(count: number, size: number): Estimate | undefined {
  return size <= 0 ? undefined : { value: count / size, ...wilsonInterval({ count, size }) }
}

/** An NPS, from −100 to 100, with the standard error of the answers' −100, 0 and 100. */
export interface NpsEstimate extends Estimate {
  standardError: number
  promoters: number
  passives: number
  detractors: number
}

/**
 * The difference of two shares of one sample, with the interval that combines their Wilson intervals and their
 * correlation: Newcombe's method, for shares that exclude each other. Unlike the interval of the standard error it has a
 * length where all answers are alike, and stays within −100 and 100.
 * Zou and Donner, Construction of confidence limits about effect measures, 2008, https://doi.org/10.1002/sim.3095
 */
export function npsEstimate(
  promoters: number,
  passives: number,
  detractors: number,
): NpsEstimate | undefined {
  const size = promoters + passives + detractors
  const up = shareEstimate(promoters, size)
  const down = shareEstimate(detractors, size)
  if (!up || !down) return undefined
  const score = up.value - down.value
  const variance = up.value + down.value - score ** 2
  const correlation = correlationOf(up.value, down.value)
  const reach = (ups: number, downs: number) =>
    Math.sqrt(Math.max(0, ups ** 2 - 2 * correlation * ups * downs + downs ** 2))
  return {
    value: 100 * score,
    low: 100 * clamp(score - reach(up.value - up.low, down.high - down.value), -1, 1),
    high: 100 * clamp(score + reach(up.high - up.value, down.value - down.low), -1, 1),
    standardError: 100 * Math.sqrt(Math.max(0, variance) / size),
    promoters,
    passives,
    detractors,
  }
}

/** The correlation of two shares of one multinomial sample. */
function correlationOf(one: number, other: number): number {
  const spread = one * (1 - one) * other * (1 - other)
  return spread > 0 ? (-one * other) / Math.sqrt(spread) : 0
}

/** The number of times that each value of a scale was given. */
type ValueCounts = ReadonlyMap<number, number>

const sizeOf = (counts: ValueCounts): number => [...counts.values()].reduce((sum, count) => sum + count, 0)

/**
 * The mean of answers on a scale, with Student's interval. Answers that are all alike have no variance to estimate from:
 * then the share of other answers that Wilson's interval still allows is taken to lie at the ends of the scale.
 */
export function meanEstimate(
  counts: ValueCounts,
  { least, most }: { least: number; most: number },
): Estimate | undefined {
  const size = sizeOf(counts)
  if (size === 0) return undefined
  const mean = weighted(counts, (value) => value) / size
  const squares = weighted(counts, (value) => (value - mean) ** 2)
  if (size === 1 || squares === 0) {
    const others = shareEstimate(0, size)?.high ?? 1
    return { value: mean, low: mean - (mean - least) * others, high: mean + (most - mean) * others }
  }
  const reach = studentQuantile(0.975, size - 1) * Math.sqrt(squares / (size - 1) / size)
  return { value: mean, low: clamp(mean - reach, least, most), high: clamp(mean + reach, least, most) }
}

const weighted = (counts: ValueCounts, of: (value: number) => number): number =>
  [...counts].reduce((sum, [value, count]) => sum + of(value) * count, 0)

/** The value between the two middle answers, or the middle one. */
export function medianOf(counts: ValueCounts): number | undefined {
  const size = sizeOf(counts)
  if (size === 0) return undefined
  const sorted = [...counts].toSorted(([one], [other]) => one - other)
  const at = (index: number): number => {
    let before = 0
    return sorted.find(([, count]) => (before += count) > index)?.[0] ?? 0
  }
  return (at(Math.floor((size - 1) / 2)) + at(Math.floor(size / 2))) / 2
}
