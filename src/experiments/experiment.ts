import type { Filter } from '#filters/filter'
import type { ExperimentUnit, ExposureRule, MeasuredMetric } from '#insights/kinds/experiment/question'
import type { BanditSettings } from './bandits/bandit'
import type { RolloutSettings } from './rollouts/rollout'
import type { WebVariants } from './web/web-variants'

/** A flag with a hypothesis: which variants are compared, by what, and how. */
export interface Experiment {
  id: string
  projectId: number
  name: string
  kind: ExperimentKind
  hypothesis: string
  /** How the weights move; undefined for other kinds. */
  bandit: BanditSettings | undefined
  /** The ramp; undefined for other kinds. */
  rollout: RolloutSettings | undefined
  /** The key of the flag whose variants are compared, in its order. */
  flag: string
  /** The variant that the others are compared with. */
  control: string
  exposure: ExposureRule
  unit: ExperimentUnit
  /** Exposures must meet it. */
  entry: Filter | undefined
  severalVariants: 'exclude' | 'first'
  metrics: readonly ExperimentMetric[]
  analysis: AnalysisSettings
  /** What posthog-js changes in the team’s own pages; undefined where the pages do it themselves. */
  web: WebVariants | undefined
  /** What was learned, for the next experiment. */
  notes: string
  startedAt: Date | undefined
  endedAt: Date | undefined
  conclusion: Conclusion | undefined
  archivedAt: Date | undefined
  createdBy: string
  createdAt: Date
  changedAt: Date
}

/**
 * How the flag is decided while the experiment runs: `fixed` leaves it as it was set, the weights of a `bandit` follow the
 * better variants, and a `rollout` lets in more people step by step while its guardrails hold.
 */
export const experimentKinds = ['fixed', 'bandit', 'rollout'] as const
export type ExperimentKind = (typeof experimentKinds)[number]

/** A primary metric decides, a guardrail must not get worse, and a secondary one explains. */
export const metricRoles = ['primary', 'secondary', 'guardrail'] as const
export type MetricRole = (typeof metricRoles)[number]

export interface ExperimentMetric {
  id: string
  name: string
  role: MetricRole
  /** The direction of an improvement. */
  goal: 'increase' | 'decrease'
  /** How many percent worse than the control a guardrail may be. */
  margin: number
  measured: MeasuredMetric
  /** The saved metric that a draft takes its definition from when it starts; from then on it stays as it is. */
  savedMetric?: string | undefined
}

/** `bayesian` says the chance of an improvement, `frequentist` tests once, `sequential` at any number of looks. */
export const analysisMethods = ['bayesian', 'frequentist', 'sequential'] as const
type AnalysisMethod = (typeof analysisMethods)[number]

export interface AnalysisSettings {
  method: AnalysisMethod
  /** The probability with which an interval contains the truth, as 0.95. */
  level: number
  /** What is believed of relative effects beforehand; every effect is as likely where it is left out. */
  prior: { mean: number; standardDeviation: number } | undefined
  /** Days before the exposure whose behaviour adjusts the estimates (CUPED); 0 for none. */
  lookbackDays: number
  /** The smallest relative effect that matters, as 0.05. */
  smallestEffect: number
  /** The probability of finding that effect. */
  power: number
  /** Fewer units in a variant show no results. */
  minimumUnits: number
}

/** How an experiment ended. */
export interface Conclusion {
  outcome: 'shipped' | 'stopped' | 'undecided' | 'rolled-back'
  /** The variant that everyone gets from then on, if it was shipped. */
  variant: string | undefined
  note: string
  by: string
  at: Date
}

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
