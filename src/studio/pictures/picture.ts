import type { Experiment } from '#experiments/experiment'
import type { ExperimentResult } from '#experiments/results/experiment-results'
import type { AnsweredQuery } from '#insights/answered-query'
import type { ChartSettings } from '#insights/chart-settings'

/** The subject of a picture: the answer to a query, or the result of an experiment. */
export type PictureSubject =
  | {
      of: 'insight'
      /** The name of a saved insight. */
      title?: string
      answered: Pick<AnsweredQuery, 'question' | 'answer' | 'table' | 'approximate'>
    }
  | {
      of: 'experiment'
      experiment: Experiment
      result: Pick<ExperimentResult, 'verdict' | 'report' | 'byPhase' | 'flagVariants'>
    }

/** A subject with the words that stand around it. */
export interface PictureInput {
  subject: PictureSubject
  settings: ChartSettings
  now: Date
  sentence: string
  /** Reservations, filters, the period with its time zone and when it was counted. */
  notes: readonly string[]
  /** The page of the studio that shows the same. */
  link: string
}
