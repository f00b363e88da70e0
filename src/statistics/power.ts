import type { EffectScale } from './effect'
import { defaultTuning, sequentialReach } from './sequential'
import { normalCdf, normalQuantile, solve } from './special-functions'

/** A metric’s history: its mean and variance for one unit. */
export interface MetricBaseline {
  mean: number
  variance: number
  /** Shares are tested with the variance of both together. */
  isShare?: boolean
}

interface PowerPlan {
  baseline: MetricBaseline
  /** Units in each arm. */
  units: number
  /** The relative effect to be found. */
  effect: number
  alpha: number
  /** The result is read at any time: the estimate must be beyond the confidence sequence at this size. */
  isSequential?: boolean
  tuning?: number
  /** The scale of the test. */
  scale?: EffectScale
}

/** The probability that a relative effect is found, by the normal approximation. */
export function powerOf(plan: PowerPlan): number {
  const { own, ifNone } = errorsOf(plan)
  const reach = plan.isSequential
    ? sequentialReach(2 * plan.units, plan.alpha, plan.tuning ?? defaultTuning)
    : normalQuantile(1 - plan.alpha / 2)
  const [distance, bar] = [Math.abs(plan.effect) / own, (reach * ifNone) / own]
  return normalCdf(distance - bar) + normalCdf(-distance - bar)
}

/** The standard errors of the effect as a share of the mean: its own, and the one that it is tested with. */
function errorsOf(plan: Omit<PowerPlan, 'alpha'>): { own: number; ifNone: number } {
  const { baseline, units, effect, scale = 'relative' } = plan
  if (scale === 'relative') {
    const error = relativeError(plan)
    return { own: error, ifNone: error }
  }
  const { mean, variance, isShare } = baseline
  const treatment = mean * (1 + effect)
  if (!isShare || treatment >= 1) {
    const error = Math.sqrt((2 * variance) / units) / Math.abs(mean)
    return { own: error, ifNone: error }
  }
  const pooled = (mean + treatment) / 2
  return {
    own: Math.sqrt((variance + treatment * (1 - treatment)) / units) / mean,
    ifNone: Math.sqrt((2 * pooled * (1 - pooled)) / units) / mean,
  }
}

/** The standard error of a relative effect: that of the treatment, and that of the control as the denominator. */
function relativeError({ baseline, units, effect }: Omit<PowerPlan, 'alpha'>): number {
  const { mean, variance } = baseline
  return Math.sqrt((variance / (mean ** 2 * units)) * (1 + (1 + effect) ** 2))
}

/** The smallest relative increase that is found with a probability of `power`. Undefined if none is. */
export function detectableEffect(plan: Omit<PowerPlan, 'effect'>, power: number): number | undefined {
  const lack = (effect: number) => powerOf({ ...plan, effect }) - power
  let high = 1e-6
  while (lack(high) < 0) {
    high *= 2
    if (high > 1e6) return undefined
  }
  return solve(lack, 0, high)
}

/** The number of units in each arm with which a relative effect is found with a probability of `power`. */
export function unitsNeeded(plan: Omit<PowerPlan, 'units'>, power: number): number {
  const lack = (logUnits: number) => powerOf({ ...plan, units: Math.exp(logUnits) }) - power
  let high = Math.log(2)
  while (lack(high) < 0 && high < 60) high += 1
  return Math.exp(solve(lack, 0, high))
}
