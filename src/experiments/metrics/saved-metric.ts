import type { z } from 'zod'
import type { ExperimentMetric } from '../experiment'
import type { savedMetric } from './saved-metrics'

export type SavedMetric = z.infer<typeof savedMetric>

/** The metrics of a draft, with the current definitions of those that are saved. A removed one stays as it was. */
export const resolvedMetrics = (
  metrics: readonly ExperimentMetric[],
  saved: readonly SavedMetric[],
): ExperimentMetric[] =>
  metrics.map((metric) => {
    const of = saved.find(({ id }) => id === metric.savedMetric)
    return of ? { ...metric, name: of.name, goal: of.goal, measured: of.measured } : metric
  })
