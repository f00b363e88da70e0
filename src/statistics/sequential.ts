import type { Effect } from './effect'
import type { Alternative, TestResult } from './frequentist'

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
