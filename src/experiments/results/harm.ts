import { type ComparedSide, flooredDifference, pairsIn } from '#statistics/floored-difference'
import { isBeyondLimit } from '#flags/guard-comparison'
import type { MetricReport, MetricValue } from './report'

/** Returns the excess of a metric over its margin by its values alone, with the variance. */
function harmWithoutEstimate({ goal, margin, shape, values }: MetricReport) {
  const [control, treatment] = [sideOf(values[0], shape), sideOf(values[1], shape)]
  const factor = 1 + (goal === 'increase' ? -margin : margin) / 100
  const { difference, variance } = flooredDifference(treatment, control, Math.max(0, factor))
  return {
    by: goal === 'increase' ? -difference : difference,
    variance,
    weight: pairsIn(control.n, treatment.n),
  }
}

function sideOf(found: MetricValue | undefined, shape: MetricReport['shape']): ComparedSide {
  const mean = found?.value ?? 0
  return { n: found?.units ?? 0, mean, variance: shape === 'share' ? mean * (1 - mean) : 0 }
}

/**
 * Whether a guardrail is beyond its margin although it has no estimate, as where one side has no variance. `minimum` is
 * the fewest units of a variant; `metrics` guardrails are watched.
 */
export function isHarmedWithoutEstimate(
  metric: MetricReport,
  settings: { minimum: number; metrics: number },
): boolean {
  const [comparison] = metric.comparisons
  if (comparison?.state !== 'no-estimate') return false
  if (comparison.reason !== 'no-variance' && comparison.reason !== 'too-few-conversions') return false
  return isBeyondLimit(harmWithoutEstimate(metric), settings)
}
