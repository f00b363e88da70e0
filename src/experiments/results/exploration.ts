import type { z } from 'zod'
import { adjustments } from '#statistics/multiple-tests'
import type { AnalysisSettings } from '../experiment'
import { shownEstimate } from './internal/readings'
import type { MetricReport } from './report'
import type { exploredMetric } from './report-schema'

export type ExploredMetric = z.infer<typeof exploredMetric>

/** Corrects all comparisons of some reports together. */
export function exploredMetrics(
  reports: readonly (readonly MetricReport[])[],
  { level }: Pick<AnalysisSettings, 'level'>,
): ExploredMetric[][] {
  const comparisons = reports
    .flat()
    .flatMap((metric) =>
      metric.comparisons.flatMap((comparison) => (comparison.state === 'estimated' ? [comparison] : [])),
    )
  const adjusted = adjustments.bh(comparisons.map((comparison) => shownEstimate(comparison).p ?? 1))
  const adjustedOf = new Map(comparisons.map((comparison, i) => [comparison, adjusted[i] ?? 1]))
  return reports.map((metrics) =>
    metrics.map(({ id, name, role, goal, shape, currency, values, comparisons: own }) => ({
      id,
      name,
      role,
      goal,
      shape,
      currency,
      values,
      comparisons: own.flatMap((comparison) => {
        if (comparison.state !== 'estimated') return []
        const estimate = shownEstimate(comparison)
        const adjustedP = adjustedOf.get(comparison) ?? 1
        const isImprovement = goal === 'increase' ? estimate.value > 0 : estimate.value < 0
        return [
          {
            variant: comparison.variant,
            estimate,
            isRelative: (comparison.adjusted ?? comparison).relative !== undefined,
            adjustedP,
            reading: adjustedP < 1 - level ? (isImprovement ? 'better' : 'worse') : 'unclear',
          } as const,
        ]
      }),
    })),
  )
}
