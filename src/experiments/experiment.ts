import type { z } from 'zod'
import type { Unchanging } from '#collection/unchanging'
import type { Filter } from '#filters/filter'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import type {
  analysisSettings,
  conclusion,
  decisionRule,
  experimentMetric,
  experimentSchema,
} from './internal/experiment-schema'
import type { WebVariants } from './web/web-variants'

/** The types of the schemas in `experiment-schema`, for code that goes to browsers without them. */
export type Experiment = Unchanging<z.infer<typeof experimentSchema>, Filter | MeasuredMetric | WebVariants>
export type ExperimentMetric = Unchanging<z.infer<typeof experimentMetric>, MeasuredMetric>
export type AnalysisSettings = z.infer<typeof analysisSettings>
export type DecisionRule = z.infer<typeof decisionRule>
export type Conclusion = z.infer<typeof conclusion>

/**
 * The rules by which the flag is decided while the experiment runs: `fixed` leaves it as it was set, the weights of a
 * `bandit` follow the better variants, and a `rollout` lets in more people step by step while its guardrails hold.
 */
export const experimentKinds = ['fixed', 'bandit', 'rollout'] as const
export type ExperimentKind = (typeof experimentKinds)[number]

/** A primary metric decides, a guardrail must not get worse, and a secondary one explains. */
export const metricRoles = ['primary', 'secondary', 'guardrail'] as const
export type MetricRole = (typeof metricRoles)[number]

/** The figures beside an effect: `bayesian` says the chance of an improvement, the others a p-value. `sequential` decides at any time. */
export const analysisMethods = ['bayesian', 'frequentist', 'sequential'] as const

const outcomeLabels: Readonly<Record<Conclusion['outcome'], string>> = {
  shipped: 'Shipped',
  stopped: 'Stopped',
  undecided: 'Ended undecided',
  'rolled-back': 'Rolled back',
}

/** "Shipped “test”", "Stopped". */
export const outcomeInWords = ({ outcome, variant }: Pick<Conclusion, 'outcome' | 'variant'>): string =>
  variant === undefined ? outcomeLabels[outcome] : `${outcomeLabels[outcome]} “${variant}”`

export const experimentStatuses = ['draft', 'running', 'ended', 'archived'] as const
type ExperimentStatus = (typeof experimentStatuses)[number]

export function statusOf({
  startedAt,
  endedAt,
  archivedAt,
}: Pick<Experiment, 'startedAt' | 'endedAt' | 'archivedAt'>): ExperimentStatus {
  if (archivedAt) return 'archived'
  if (endedAt) return 'ended'
  return startedAt ? 'running' : 'draft'
}
