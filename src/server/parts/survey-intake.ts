import type { Engine } from '#engine/engine'
import { PosthogSurveyLists } from '#surveys/posthog/survey-lists'
import type { PublishedSurveys } from '#surveys/published-surveys'
import type { Survey } from '#surveys/survey'
import { SurveyEventCheck } from '#surveys/survey-event-check'
import { needsTargetingFlag, targetingFlagKey } from '#surveys/targeting-flag'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'
import { SurveyResponseCounts } from './survey-counts'

interface SurveyIntakeDependencies {
  surveys: Pick<PublishedSurveys, 'surveysOf' | 'find' | 'versionsOf' | 'everySurvey'>
  engine: Pick<Engine, 'query'>
  world: World
  /** Other processes take no events, so they have no use for counts. */
  isFront: boolean
  onTrouble: (problem: unknown) => void
}

/** What takes in events about surveys, and what gives surveys to PostHog's clients. */
export interface SurveyIntake {
  eventCheck: SurveyEventCheck
  responsesTo: (survey: Survey) => number
  services: Pick<WireServices, 'posthogSurveys'>
  close: () => void
}

export function openSurveyIntake({
  surveys,
  engine,
  world,
  isFront,
  onTrouble,
}: SurveyIntakeDependencies): SurveyIntake {
  const counts = new SurveyResponseCounts({ engine, everySurvey: () => surveys.everySurvey(), onTrouble })
  if (isFront) counts.start()
  const posthogLists = new PosthogSurveyLists({
    surveysOf: (projectId) => surveys.surveysOf(projectId),
    responsesTo: (survey) => counts.responsesTo(survey),
    targetingFlagOf: (survey) => (needsTargetingFlag(survey) ? targetingFlagKey(survey.id) : undefined),
    now: () => world.now(),
  })
  return {
    responsesTo: (survey) => counts.responsesTo(survey),
    eventCheck: new SurveyEventCheck({
      find: (projectId, id) => surveys.find(projectId, id),
      versionsOf: (projectId, id) => surveys.versionsOf(projectId, id),
      responsesTo: (survey) => counts.responsesTo(survey),
      noteSubmission: (survey, submission) => counts.noteSubmission(survey, submission),
    }),
    services: { posthogSurveys: (projectId) => posthogLists.listOf(projectId) },
    close: () => counts.close(),
  }
}
