import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import type { ExperimentMetric } from '../experiment'

/** A metric that several experiments use, and that is defined once. */
export interface SavedMetric {
  id: string
  projectId: number
  name: string
  description: string
  goal: 'increase' | 'decrease'
  measured: MeasuredMetric
  /** Metrics with the same tag are a group. */
  tags: string[]
  createdBy: string
  createdAt: Date
}

/** The metrics of a draft, with the current definitions of those that are saved. A removed one stays as it was. */
export const resolvedMetrics = (
  metrics: readonly ExperimentMetric[],
  saved: readonly SavedMetric[],
): ExperimentMetric[] =>
  metrics.map((metric) => {
    const of = saved.find(({ id }) => id === metric.savedMetric)
    return of ? { ...metric, name: of.name, goal: of.goal, measured: of.measured } : metric
  })
