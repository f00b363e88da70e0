import type { Moments } from '#statistics/moments'
import type { MetricReport } from '../report'

/**
 * The least number to expect before a variant's own numbers say enough of their variance: conversions, or units without
 * one; of sums the units with a value. Variants of very different sizes need more of the former (`analyse.test.ts`).
 */
const fewest = { conversions: 30, values: 10 }

/** Whether a variant of this size is to expect few conversions, by the share of both, or few units with a value. */
export function hasFewValues(control: Moments, treatment: Moments, shape: MetricReport['shape']): boolean {
  const size = Math.min(control.n, treatment.n)
  if (shape !== 'share')
    return size * Math.max(...[control, treatment].map((arm) => effectiveShare(arm))) < fewest.values
  const share = meanOfBoth(control, treatment)
  return size * Math.min(share, 1 - share) < fewest.conversions
}

/** Whether few units have a denominator: all others say nothing of a ratio. */
export const hasFewDenominators = (arm: Moments): boolean => arm.n * effectiveShare(arm, 1) < fewest.values

/** The share of units that would have a value if all values were the same. L. Kish, Survey Sampling, 1965. */
function effectiveShare({ n, means, deviations }: Moments, i = 0): number {
  const square = (means[i] ?? 0) ** 2
  const squares = (deviations[i]?.[i] ?? 0) / n + square
  return squares > 0 ? square / squares : 0
}

const meanOfBoth = (one: Moments, other: Moments): number =>
  (one.n * (one.means[0] ?? 0) + other.n * (other.means[0] ?? 0)) / (one.n + other.n)

/**
 * Returns the moments with at least the variance that the values of both together have. A small variant without any
 * conversion would otherwise seem certain, though none may be what was to be expected.
 */
export function withVarianceOfBoth(control: Moments, treatment: Moments): [Moments, Moments] {
  const mean = meanOfBoth(control, treatment)
  const around = ({ n, means, deviations }: Moments) =>
    (deviations[0]?.[0] ?? 0) + n * ((means[0] ?? 0) - mean) ** 2
  const variance = (around(control) + around(treatment)) / (control.n + treatment.n)
  const floored = (arm: Moments): Moments => ({
    ...arm,
    deviations: arm.deviations.map((row, i) =>
      i === 0 ? row.with(0, Math.max(row[0] ?? 0, arm.n * variance)) : row,
    ),
  })
  return [floored(control), floored(treatment)]
}
