import { createHash } from 'node:crypto'
import type { Experiment, ExperimentMetric } from '../../experiment'
import { shapeOf } from '../../results/internal/metric-shape'
import type { ProgrammeMetric } from '../experiment-programme'

interface SharedMetrics {
  /** The metric that most experiments have comes first, and of those the one that more of them decide by. */
  metrics: ProgrammeMetric[]
  /** The metric of an experiment that is the one with this key. */
  metricOf: (experiment: Pick<Experiment, 'metrics'>, key: string) => ExperimentMetric | undefined
}

/** Finds the metrics that experiments have in common: the same saved one, or the same definition with the same goal. */
export function sharedMetrics(experiments: readonly Pick<Experiment, 'metrics'>[]): SharedMetrics {
  const saved = new Map(
    experiments.flatMap(({ metrics }) =>
      metrics.flatMap((metric): [string, string][] =>
        metric.savedMetric === undefined ? [] : [[definitionOf(metric), metric.savedMetric]],
      ),
    ),
  )
  const keyOf = (metric: ExperimentMetric): string =>
    metric.savedMetric ?? saved.get(definitionOf(metric)) ?? hashOf(definitionOf(metric))
  const found = new Map<string, ProgrammeMetric & { deciding: number }>()
  for (const { metrics } of experiments)
    for (const [key, metric] of metricsByKey(metrics, keyOf)) {
      const { experiments: before = 0, deciding = 0 } = found.get(key) ?? {}
      const { name, goal, measured, role } = metric
      found.set(key, {
        key,
        name,
        goal,
        shape: shapeOf(measured),
        experiments: before + 1,
        deciding: deciding + (role === 'primary' ? 1 : 0),
      })
    }
  const sorted = [...found.values()].toSorted(
    (one, other) =>
      other.experiments - one.experiments ||
      other.deciding - one.deciding ||
      one.name.localeCompare(other.name),
  )
  return {
    metrics: sorted.map(({ deciding: _, ...metric }) => metric),
    metricOf: ({ metrics }, key) => metricsByKey(metrics, keyOf).get(key),
  }
}

/** The metrics of one experiment; of two that are the same, the first counts. */
const metricsByKey = (
  metrics: readonly ExperimentMetric[],
  keyOf: (metric: ExperimentMetric) => string,
): Map<string, ExperimentMetric> => new Map(metrics.toReversed().map((metric) => [keyOf(metric), metric]))

const definitionOf = ({ goal, measured }: ExperimentMetric): string => JSON.stringify([goal, measured])

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
