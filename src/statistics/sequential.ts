import type { Effect } from './effect'
import type { Alternative, TestResult } from './frequentist'
import { lnGamma, normalCdf, solve, upperGamma } from './special-functions'

/**
 * Asymptotic confidence sequences: the interval holds at all looks at once, so that the result may be read every day.
 * I. Waudby-Smith and others, Time-uniform central limit theory and asymptotic confidence sequences, 2021, equations 9
 * and 134. `tuning` is the number of units at which the sequence is narrowest, for an `alpha` of `tunedFor`; with the same
 * of both, p-values and intervals of any `alpha` agree.
 */
export function sequentialTest(
  effect: Effect,
  {
    alpha = 0.05,
    alternative = 'two-sided',
    tuning = defaultTuning,
    tunedFor = alpha,
  }: { alpha?: number; alternative?: Alternative; tuning?: number; tunedFor?: number } = {},
): TestResult {
  const { value, standardError } = effect
  const units = effect.units[0] + effect.units[1]
  const isTwoSided = alternative === 'two-sided'
  const information = units * mixtureVariance(isTwoSided ? tunedFor : 2 * tunedFor, tuning)
  const reach =
    standardError * (isTwoSided ? twoSidedBoundary(information, alpha) : oneSidedBoundary(information, alpha))
  const z = value / standardError
  if (isTwoSided)
    return { p: twoSidedP(z, information), interval: { low: value - reach, high: value + reach } }
  return alternative === 'greater'
    ? { p: oneSidedP(z, information), interval: { low: value - reach, high: Infinity } }
    : { p: oneSidedP(-z, information), interval: { low: -Infinity, high: value + reach } }
}

/** The reach of the two-sided interval, in standard errors, with this many units in both arms. */
export const sequentialReach = (units: number, alpha: number, tuning: number): number =>
  twoSidedBoundary(units * mixtureVariance(alpha, tuning), alpha)

/** The number of units at which the intervals are narrowest, where nothing else is known. */
export const defaultTuning = 5000

/** The variance of the normal mixture that makes the boundary narrowest at `tuning` units; equation 161. */
function mixtureVariance(alpha: number, tuning: number): number {
  const doubled = -2 * Math.log(alpha)
  return (doubled + Math.log(doubled + 1)) / tuning
}

/** The most standard errors from the truth to an estimate. `information` is the size in units of the mixture. */
export const twoSidedBoundary = (information: number, alpha: number): number =>
  Math.sqrt(2 * ((information + 1) / information) * Math.log(Math.sqrt(information + 1) / alpha))

/** The same bound to one side: the normal mixture boundary of Robbins. */
export const oneSidedBoundary = (information: number, alpha: number): number =>
  Math.sqrt(2 * ((information + 1) / information) * Math.log(1 + Math.sqrt(information + 1) / (2 * alpha)))

/** The inverse of the evidence against "no effect", which is a p-value at any number of looks. */
const twoSidedP = (z: number, information: number): number =>
  Math.min(1, Math.sqrt(information + 1) * Math.exp((-z * z * information) / (2 * (information + 1))))

/** The smallest `alpha` whose one-sided boundary the estimate is beyond. */
function oneSidedP(z: number, information: number): number {
  if (z <= 0) return 1
  const evidence = Math.exp((z * z * information) / (2 * (information + 1))) - 1
  return Math.min(1, Math.sqrt(information + 1) / (2 * evidence))
}

/**
 * The mixture sequential probability ratio test of two streams of pairs with known variance: the likelihood ratio, and
 * the p-value that holds at all looks. R. Johari and others, Always valid inference, 2022.
 */
export function mixtureRatioTest({
  pairs,
  difference,
  variance,
  mixture,
}: {
  pairs: number
  difference: number
  variance: number
  mixture: number
}): { ratio: number; p: number } {
  const both = 2 * variance
  const grown = both + pairs * mixture
  const ratio =
    Math.sqrt(both / grown) * Math.exp((pairs ** 2 * mixture * difference ** 2) / (2 * both * grown))
  return { ratio, p: Math.min(1, 1 / ratio) }
}

// Uniform boundaries: S. Howard and others, Time-uniform, nonparametric, nonasymptotic confidence sequences, 2021

/** The tuning of a normal mixture that is narrowest where the variance has grown to `variance`. */
export function bestMixture(variance: number, alpha: number, { isOneSided = false } = {}): number {
  const doubled = -2 * Math.log(isOneSided ? 2 * alpha : alpha)
  return variance / (doubled + Math.log(1 + doubled))
}

/** The logarithm of the two-sided normal mixture. */
export const logNormalMixture = (sum: number, variance: number, mixture: number): number =>
  Math.log(mixture / (variance + mixture)) / 2 + sum ** 2 / (2 * (variance + mixture))

/** The logarithm of the one-sided normal mixture. */
export const logHalfNormalMixture = (sum: number, variance: number, mixture: number): number =>
  Math.LN2 +
  logNormalMixture(sum, variance, mixture) +
  Math.log(normalCdf(sum / Math.sqrt(variance + mixture)))

/** The boundary for sums of counts, whose tails are those of a Poisson variable of scale `scale`: a gamma mixture. */
export function gammaPoissonBoundary({
  variance,
  alpha,
  bestAt,
  scale,
}: {
  variance: number
  alpha: number
  bestAt: number
  scale: number
}): number {
  const [v, r] = [variance / scale ** 2, bestMixture(bestAt, alpha, { isOneSided: true }) / scale ** 2]
  const constant = r * Math.log(r) - lnGamma(r) - Math.log(upperGamma(r, r))
  const logMixture = (sum: number) => {
    const shape = sum / scale + v + r
    return constant + lnGamma(shape) + Math.log(upperGamma(shape, v + r)) - shape * Math.log(v + r) + v
  }
  const bar = -Math.log(alpha)
  let high = Math.sqrt(variance) + scale
  while (logMixture(high) < bar) high *= 2
  return solve((sum) => logMixture(sum) - bar, 0, high)
}

/** The boundary that is stitched from linear ones over a geometric grid of variances from `least` on. */
export function stitchedBoundary({
  variance,
  alpha,
  least,
  scale,
}: {
  variance: number
  alpha: number
  least: number
  scale: number
}): number {
  const [ratio, exponent] = [2, 1.4]
  const k1 = (ratio ** 0.25 + ratio ** -0.25) / Math.SQRT2
  const k2 = (Math.sqrt(ratio) + 1) / 2
  const used = Math.max(variance, least)
  const level =
    exponent * Math.log(Math.log((ratio * used) / least)) +
    Math.log(zeta(exponent) / (alpha * Math.log(ratio) ** exponent))
  const linear = k2 * scale * level
  return Math.sqrt(k1 ** 2 * used * level + linear ** 2) + linear
}

/** Riemann’s zeta function above 1, by the Euler–Maclaurin formula. */
function zeta(s: number): number {
  const n = 20
  let sum = n ** (1 - s) / (s - 1) + n ** -s / 2 + (s * n ** (-s - 1)) / 12
  sum -= (s * (s + 1) * (s + 2) * n ** (-s - 3)) / 720
  for (let k = 1; k < n; k++) sum += k ** -s
  return sum
}

/** The interval for a share that holds at all looks: a beta mixture of binomial likelihood ratios. */
export function bernoulliSequence(
  successes: number,
  trials: number,
  { alpha, bestAt }: { alpha: number; bestAt: number },
): { low: number; high: number } {
  const failures = trials - successes
  const excess = (share: number) => {
    const spread = share * (1 - share)
    const mixture = Math.max(bestMixture(bestAt * spread, alpha) - spread, 1e-3 * spread)
    const [up, down] = [mixture / (1 - share), mixture / share]
    return (
      lnBeta(up + successes, down + failures) -
      lnBeta(up, down) -
      successes * Math.log(share) -
      failures * Math.log(1 - share) +
      Math.log(alpha)
    )
  }
  const middle = successes / trials
  const edge = 1e-12
  const low = successes === 0 ? 0 : solve(excess, edge, Math.min(middle, 1 - edge))
  const high = failures === 0 ? 1 : solve(excess, Math.max(middle, edge), 1 - edge)
  return { low, high }
}

const lnBeta = (a: number, b: number): number => lnGamma(a) + lnGamma(b) - lnGamma(a + b)
