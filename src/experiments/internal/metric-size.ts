import { type MetricBaseline, unitsNeeded } from '#statistics/power'
import type { AnalysisSettings, ExperimentMetric } from '../experiment'
import { ruleOf } from '../results/decision'
import { decisionAlpha, looksTuning } from '../results/internal/looks'

/** The experiment that a metric is one of. */
export interface SizedExperiment {
  analysis: Pick<AnalysisSettings, 'level' | 'method' | 'decision' | 'smallestEffect' | 'power'>
  variants: number
  primary: number
  guardrails: number
}

/** The test that a metric has to pass in an experiment. */
export interface MetricTest {
  alpha: number
  isSequential: boolean
  tuning: number
  scale: 'absolute'
  power: number
  /** The relative effect to be found; for a guardrail, to be excluded. */
  effect: number
}

/**
 * The error rate of one comparison of a primary metric is that of the first step of Holm's method. To ship, a primary
 * metric must be better and all guardrails safe: the chance to miss that is divided among them. M. Schultzberg,
 * S. Ankargren and M. Frånberg, Risk-aware product decisions in A/B tests with multiple metrics, 2024.
 */
export function metricTest(
  { role, margin }: Pick<ExperimentMetric, 'role' | 'margin'>,
  { analysis, variants, primary, guardrails }: SizedExperiment,
): MetricTest {
  const isGuardrail = role === 'guardrail'
  const compared = Math.max(1, (variants - 1) * primary)
  return {
    alpha: isGuardrail ? 1 - analysis.level : decisionAlpha(analysis.level) / compared,
    isSequential: ruleOf(analysis).rule === 'any-time',
    tuning: looksTuning,
    scale: 'absolute',
    power: role === 'secondary' ? analysis.power : 1 - (1 - analysis.power) / (1 + guardrails),
    effect: isGuardrail ? margin / 100 : analysis.smallestEffect,
  }
}

/** The units that each variant needs for a metric, or many more than there are people. */
export const metricSize = (baseline: MetricBaseline, test: MetricTest): number =>
  unitsNeeded({ ...test, baseline }, test.power)
