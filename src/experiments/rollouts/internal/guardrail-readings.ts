import type { GuardMetric, GuardReading } from '#flags/guard'
import { isBeyondLimit } from '#flags/guard-comparison'
import type { GuardrailReadings } from '#flags/guards/guard-engine'
import { pairsIn } from '#statistics/floored-difference'
import { isMismatch } from '#statistics/sample-ratio'
import { shownEstimate } from '../../results/internal/readings'
import { isHarmedWithoutEstimate } from '../../results/harm'
import type {
  EstimatedComparison,
  ExperimentReport,
  MetricReport,
  NoEstimateReason,
} from '../../results/report'

/**
 * Returns the guardrails of a rollout's report as the engine of guarded rollouts reads them: one reading for each, of
 * the new variant against the control. With a mismatch of the split no reading is known.
 */
export function guardrailReadings(
  report: Pick<ExperimentReport, 'metrics' | 'phases'>,
  minimum: number,
): GuardrailReadings {
  const guardrails = report.metrics.filter(({ role }) => role === 'guardrail')
  const hasMismatch = report.phases.some(({ ratio }) => ratio && isMismatch(ratio))
  return {
    metrics: guardrails.map(guardMetricOf),
    readings: guardrails.map((metric) => ({
      ...figuresOf(metric),
      ...(hasMismatch
        ? { state: 'unknown', why: mismatchWords }
        : stateOf(metric, { minimum, metrics: guardrails.length })),
    })),
  }
}

type ReadState = Pick<GuardReading, 'state' | 'why'>

const mismatchWords =
  'The next step waits: the variants did not get their shares of people, so nothing can be compared.'

const guardMetricOf = ({ id, name, goal, margin, shape, currency }: MetricReport): GuardMetric => ({
  type: 'guardrail',
  metric: id,
  name,
  goal,
  isShare: shape === 'share',
  currency,
  worse: margin,
})

function figuresOf({ values }: MetricReport): Pick<GuardReading, 'got' | 'others' | 'people'> {
  const [control, treatment] = values
  return {
    got: treatment?.value ?? null,
    others: control?.value ?? null,
    people: { got: treatment?.units ?? 0, others: control?.units ?? 0 },
  }
}

function stateOf(metric: MetricReport, settings: { minimum: number; metrics: number }): ReadState {
  const [comparison] = metric.comparisons
  if (!comparison) return { state: 'too-few' }
  if (comparison.state === 'no-estimate')
    return { state: withoutEstimate(metric, comparison.reason, settings) }
  if (isBeyondLimit(excessOf(metric, comparison), settings)) return { state: 'broken' }
  return comparison.reading === 'violated'
    ? {
        state: 'unknown',
        why: `The next step waits: “${metric.name}” seems worse than its margin, but that may be chance.`,
      }
    : { state: 'well' }
}

/**
 * Without variance there is no interval, as where everyone with the new variant meets an error and no one else does. A
 * difference beyond chance is found all the same. Something bad that has hardly happened to many people is no harm;
 * something good that has not happened is unknown.
 */
function withoutEstimate(
  metric: MetricReport,
  reason: NoEstimateReason,
  settings: { minimum: number; metrics: number },
): 'broken' | 'well' | 'too-few' {
  if (isHarmedWithoutEstimate(metric, settings)) return 'broken'
  if (reason !== 'too-few-conversions' && reason !== 'no-variance') return 'too-few'
  return metric.goal === 'decrease' ? 'well' : 'too-few'
}

/** Returns the distance of the estimate beyond the margin; without a relative effect there is no margin. */
function excessOf({ goal, margin, values }: MetricReport, comparison: EstimatedComparison) {
  const { value, standardError } = shownEstimate(comparison)
  const harm = goal === 'increase' ? -value : value
  const allowed = (comparison.adjusted ?? comparison).relative ? margin / 100 : 0
  return {
    by: harm - allowed,
    variance: standardError ** 2,
    weight: pairsIn(values[0]?.units ?? 0, values[1]?.units ?? 0),
  }
}
