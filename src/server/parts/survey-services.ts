import type { FlagDefinitions } from '#flags/definitions'
import type { Insights } from '#insights/ask'
import type { Store } from '#store/store'
import { PublishedSurveys } from '#surveys/published-surveys'
import { SurveyResults } from '#surveys/results/survey-results'
import { Surveys } from '#surveys/surveys'
import type { World } from '#world/world'
import type { Job } from '../jobs/jobs'

export interface SurveyServicesDependencies {
  store: Store
  world: World
  definitions: FlagDefinitions
  insights: Pick<Insights, 'ask' | 'scope'>
  onTrouble: (problem: unknown) => void
}

/** Surveys, and what reads them while Tilth runs. */
export interface SurveyServices {
  /** What the product offers of them. */
  parts: {
    surveys: Surveys
    surveyResults: SurveyResults
    publishedSurveys: PublishedSurveys
  }
  jobs: readonly Job[]
  close(): Promise<void>
}

const minute = 60_000

export async function openSurveyServices(dependencies: SurveyServicesDependencies): Promise<SurveyServices> {
  const published = await PublishedSurveys.open(dependencies)
  const surveys = new Surveys({ ...dependencies, published })
  return {
    parts: {
      surveys,
      surveyResults: new SurveyResults({ ...dependencies, surveys }),
      publishedSurveys: published,
    },
    jobs: [
      {
        name: 'bring flags of surveys up to date',
        everyMs: minute,
        isShared: true,
        run: () => surveys.refreshTargeting(published.everySurvey()),
      },
    ],
    close: () => published.close(),
  }
}
