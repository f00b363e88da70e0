import type { Effect } from './effect'
import type { EstimateInterval } from './frequentist'

/** The standard errors from an estimate to each end of its interval. */
export interface Reach {
  down: number
  up: number
}

/**
 * The interval of an absolute effect as a share of the control's value. It excludes 0 exactly where the absolute one of
 * the same reach does. Undefined where the share may be any.
 */
export const relativeInterval = (effect: Effect, reach: Reach): EstimateInterval | undefined =>
  fiellerInterval(effect, reach) ?? logRatioInterval(effect, reach)

/** E. Fieller, Some problems in interval estimation, 1954. Undefined where the control cannot be told from 0. */
function fiellerInterval(
  { value, standardError, values: [control], control: known }: Effect,
  { down, up }: Reach,
): EstimateInterval | undefined {
  if (control === 0 || !known) return undefined
  const base = Math.abs(control)
  const covariance = Math.sign(control) * known.covariance
  const at = (reach: number) => {
    const a = base ** 2 - reach ** 2 * known.variance
    if (!(a > 0)) return undefined
    const b = value * base - reach ** 2 * covariance
    const c = value ** 2 - (reach * standardError) ** 2
    const spread = Math.sqrt(Math.max(0, b ** 2 - a * c))
    return { low: (b - spread) / a, high: (b + spread) / a }
  }
  const [below, above] = [at(down), at(up)]
  return below && above && { low: below.low, high: above.high }
}

/** The interval of the logarithm of the ratio, as many of whose standard errors are the effect as of the difference. */
function logRatioInterval(
  { value, standardError, values: [control] }: Effect,
  { down, up }: Reach,
): EstimateInterval | undefined {
  const ratio = 1 + value / Math.abs(control)
  if (!(ratio > 0) || !Number.isFinite(ratio)) return undefined
  const error = value === 0 ? standardError / Math.abs(control) : (Math.log(ratio) / value) * standardError
  return { low: ratio * Math.exp(-down * error) - 1, high: ratio * Math.exp(up * error) - 1 }
}
