import { PosthogSurveyLists } from '../posthog/survey-lists'
import type { PublishedSurveys } from './published-surveys'
import type { SubmissionCounts } from './submission-counts'
import { SurveyEventCheck, type SurveyEventCheckDependencies } from './survey-event-check'
import { targetingFlagOf } from './targeting-flag'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'

interface SurveyIntakeDependencies {
  surveys: Pick<PublishedSurveys, 'surveysOf' | 'find' | 'versionsOf'>
  counts: SubmissionCounts
  deliveries: SurveyEventCheckDependencies['deliveries']
  world: World
}

/** Opens the check of events about surveys, and the lists of surveys for PostHog's clients. */
export function openSurveyIntake({ surveys, counts, deliveries, world }: SurveyIntakeDependencies): {
  eventCheck: SurveyEventCheck
  services: Pick<WireServices, 'posthogSurveys'>
} {
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
