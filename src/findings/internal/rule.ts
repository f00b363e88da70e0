import type { Experiments } from '#experiments/experiments'
import type { ExperimentResults } from '#experiments/results/experiment-results'
import type { FlagNumbers } from '#flags/numbers'
import type { Guard } from '#flags/guard'
import type { Insights } from '#insights/ask'
import type { Goals } from '#insights/goals/goals'
import type { Right, Viewer } from '#projects/access'
import type { SurveyResults } from '#surveys/results/survey-results'
import type { Surveys } from '#surveys/surveys'
import type { Finding } from '../finding'
import type { ComparedNumbers } from './compared-numbers'
import type { ComparedWeeks } from './weeks'

export interface FindingServices {
  insights: Pick<Insights, 'ask'> & { goals: Pick<Goals, 'list'> }
  experiments: Pick<Experiments, 'list'> & { results: Pick<ExperimentResults, 'result'> }
  flags: {
    numbers: Pick<FlagNumbers, 'ofAll'>
    guards: { list: (projectId: number, viewer: Viewer) => Promise<Guard[]> }
  }
  surveys: Pick<Surveys, 'list'> & { results: Pick<SurveyResults, 'results'> }
}

export interface FindingContext extends FindingServices {
  projectId: number
  viewer: Viewer
  weeks: ComparedWeeks
  /** The numbers of the weeks, which several rules share. */
  numbers: () => Promise<ComparedNumbers>
}

/** A rule by which a sentence is worth reading. It says nothing that is within a usual week. */
export interface FindingRule {
  id: string
  /** A viewer without one of these rights does not get its sentences. */
  needs: readonly Right[]
  find: (context: FindingContext) => Promise<Finding[]>
}
