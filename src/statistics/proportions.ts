import type { EstimateInterval } from './frequentist'
import { betaQuantile, chiSquareTail, normalCdf, normalQuantile } from './special-functions'

/** A share: `count` of `size`. */
export interface Proportion {
  count: number
  size: number
}

const z = normalQuantile(0.975)
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** The two-sided test of two shares with the pooled variance. */
export function shareTest(one: Proportion, other: Proportion): { z: number; p: number } {
  const score = (one.count / one.size - other.count / other.size) / pooledShareError(one, other)
  return { z: score, p: 2 * normalCdf(-Math.abs(score)) }
}

/** The standard error of the difference of two shares, if they are the same. */
export function pooledShareError(one: Proportion, other: Proportion): number {
  const pooled = (one.count + other.count) / (one.size + other.size)
  return Math.sqrt(pooled * (1 - pooled) * (1 / one.size + 1 / other.size))
}

interface ChiSquare {
  statistic: number
  freedom: number
  p: number
}

/** The chi-square test that several shares are the same, or are `expected`. */
export function sharesTest(shares: readonly Proportion[], expected?: number): ChiSquare {
  const count = shares.reduce((sum, share) => sum + share.count, 0)
  const size = shares.reduce((sum, share) => sum + share.size, 0)
  const common = expected ?? count / size
  const statistic = shares.reduce(
    (sum, share) => sum + (share.count - share.size * common) ** 2 / (share.size * common * (1 - common)),
    0,
  )
  const freedom = expected === undefined ? shares.length - 1 : shares.length
  return { statistic, freedom, p: chiSquareTail(statistic, freedom) }
}

/** Wilson’s score interval of a share, which stays within 0 and 1 and is of use for a handful of units. */
export function wilsonInterval({ count, size }: Proportion): EstimateInterval {
  const share = count / size
  const middle = (share + z ** 2 / (2 * size)) / (1 + z ** 2 / size)
  const reach = (z * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2))) / (1 + z ** 2 / size)
  return {
    low: count === 0 ? 0 : clamp(middle - reach, 0, 1),
    high: count === size ? 1 : clamp(middle + reach, 0, 1),
  }
}

/** Newcombe’s interval of the difference of two shares, from their Wilson intervals. */
export function newcombeInterval(one: Proportion, other: Proportion): EstimateInterval {
  const [p, q] = [one.count / one.size, other.count / other.size]
  const [a, b] = [wilsonInterval(one), wilsonInterval(other)]
  return {
    low: p - q - Math.hypot(p - a.low, b.high - q),
    high: p - q + Math.hypot(a.high - p, q - b.low),
  }
}

/** The interval of Agresti and Caffo: one success and one failure are added to each side. */
export function agrestiCaffoInterval(one: Proportion, other: Proportion): EstimateInterval {
  const adjusted = ({ count, size }: Proportion) => ({ share: (count + 1) / (size + 2), size: size + 2 })
  const [a, b] = [adjusted(one), adjusted(other)]
  const reach = z * Math.sqrt((a.share * (1 - a.share)) / a.size + (b.share * (1 - b.share)) / b.size)
  return { low: a.share - b.share - reach, high: a.share - b.share + reach }
}

/** The equal-tailed 95 % interval of a share after a Beta prior. */
export function betaInterval(
  { count, size }: Proportion,
  [alpha, beta]: readonly [number, number],
): EstimateInterval {
  const [a, b] = [alpha + count, beta + size - count]
  return { low: betaQuantile(a, b, 0.025), high: betaQuantile(a, b, 0.975) }
}
