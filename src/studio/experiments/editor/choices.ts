import type { Variant } from '#flags/flag'
import type { Experiment } from '#experiments/experiment'
import type { InsightMetric } from '#experiments/experiment-set-up'
import type { SavedMetric } from '#experiments/metrics/saved-metric'

/** The options of the fields of an experiment. */
export interface ExperimentChoices {
  slug: string
  /** Flags with two to ten variants. */
  flags: readonly FlagChoice[]
  insights: readonly InsightMetric[]
  surveys: readonly SurveyChoice[]
  savedMetrics: readonly SavedMetricChoice[]
  /** Why the viewer may not save metrics. */
  whyNotSaveMetrics: string | undefined
  templates: readonly TemplateChoice[]
}

export type SavedMetricChoice = Pick<
  SavedMetric,
  'id' | 'name' | 'description' | 'goal' | 'measured' | 'tags'
>

export interface TemplateChoice {
  id: string
  name: string
  description: string
  hypothesis: string
  metrics: Experiment['metrics']
}

export interface FlagChoice {
  key: string
  variants: readonly Variant[]
}

export interface SurveyChoice {
  id: string
  name: string
  /** The survey's ratings: their answers are numbers. */
  questions: readonly { id: string; label: string }[]
}
