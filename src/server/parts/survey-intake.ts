import { PosthogSurveyLists } from '#surveys/posthog/survey-lists'
import type { PublishedSurveys } from '#surveys/published-surveys'
import type { SubmissionCounts } from '#surveys/submissions/submission-counts'
import { SurveyEventCheck, type SurveyEventCheckDependencies } from '#surveys/survey-event-check'
import { targetingFlagOf } from '#surveys/targeting-flag'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'

interface SurveyIntakeDependencies {
  surveys: Pick<PublishedSurveys, 'surveysOf' | 'find' | 'versionsOf'>
  counts: SubmissionCounts
  deliveries: SurveyEventCheckDependencies['deliveries']
  world: World
}

/** What takes in events about surveys, and what gives surveys to PostHog's clients. */
export interface SurveyIntake {
  eventCheck: SurveyEventCheck
  services: Pick<WireServices, 'posthogSurveys'>
}

export function openSurveyIntake({
  surveys,
  counts,
  deliveries,
  world,
}: SurveyIntakeDependencies): SurveyIntake {
  const posthogLists = new PosthogSurveyLists({
    surveysOf: (projectId) => surveys.surveysOf(projectId),
    statusOf: (survey) => counts.statusOf(survey),
    targetingFlagOf,
    now: () => world.now(),
  })
  return {
    eventCheck: new SurveyEventCheck({
      find: (projectId, id) => surveys.find(projectId, id),
      versionsOf: (projectId, id) => surveys.versionsOf(projectId, id),
      counts,
      deliveries,
    }),
    services: { posthogSurveys: (projectId) => posthogLists.listOf(projectId) },
  }
}
