import type { Engine } from '#engine/engine'
import type { FlagDefinitions } from '#flags/definitions'
import type { Insights } from '#insights/ask'
import type { Store } from '#store/store'
import { openRateLimiter } from '#http/rate-limiter'
import { SurveyAnswers } from '#surveys/answers/survey-answers'
import { PublishedSurveys } from '#surveys/published-surveys'
import { SurveyResults } from '#surveys/results/survey-results'
import { Surveys } from '#surveys/surveys'
import { needsTargetingFlag, targetingFlagKey } from '#surveys/targeting-flag'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'
import type { Job } from '../jobs/jobs'
import { openSurveyIntake, type SurveyIntake } from './survey-intake'

export interface SurveyServicesDependencies {
  store: Store
  world: World
  definitions: FlagDefinitions
  insights: Pick<Insights, 'ask' | 'scope'>
  engine: Pick<Engine, 'query'>
  isFront: boolean
  onTrouble: (problem: unknown) => void
}

/** Surveys, and what reads them while Tilth runs. */
export interface SurveyServices {
  /** What the product offers of them. */
  parts: {
    surveys: Surveys
    surveyResults: SurveyResults
    publishedSurveys: PublishedSurveys
    surveyAnswers: SurveyAnswers
  }
  intake: SurveyIntake & { services: Pick<WireServices, 'surveyAnswers'> }
  jobs: readonly Job[]
  close(): Promise<void>
}

const minute = 60_000
/** By network: a whole school may answer within minutes, each question on its own. */
const answerRateLimit = { limit: 300, windowMs: 10 * minute }

export async function openSurveyServices(dependencies: SurveyServicesDependencies): Promise<SurveyServices> {
  const published = await PublishedSurveys.open(dependencies)
  const intake = openSurveyIntake({ ...dependencies, surveys: published })
  const surveys = new Surveys({ ...dependencies, published, responsesTo: intake.responsesTo })
  const surveyAnswers = new SurveyAnswers({
    published,
    world: dependencies.world,
    responsesOf: intake.responsesTo,
    hasBegun: (survey, submission) => intake.eventCheck.hasBegun(survey, submission),
    targetingFlagOf: (survey) => (needsTargetingFlag(survey) ? targetingFlagKey(survey.id) : undefined),
    mayAnswer: openRateLimiter(answerRateLimit),
  })
  return {
    parts: {
      surveys,
      surveyResults: new SurveyResults({ ...dependencies, surveys }),
      publishedSurveys: published,
      surveyAnswers,
    },
    intake: { ...intake, services: { ...intake.services, surveyAnswers } },
    jobs: [
      {
        name: 'bring flags of surveys up to date',
        everyMs: minute,
        isShared: true,
        run: () => surveys.refreshTargeting(published.everySurvey()),
      },
    ],
    close: async () => {
      intake.close()
      await published.close()
    },
  }
}
