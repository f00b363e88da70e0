'use server'

import { targetingOfPage } from '#surveys/page-targeting'
import { surveyTemplates } from '#surveys/templates'
import { withNumberCohort } from '#studio/numbers/number-cohort'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { type ActionResult, failedWith, mapOutcome } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { catchRefusals, runProjectChange, tryEngine } from '#studio/parts/refusals'
import { type OpenedSurvey, openedSurvey } from './builder/draft'

export async function createSurvey(slug: unknown, input: unknown): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ surveys }, projectId, viewer) =>
    surveys.create(projectId, input, viewer),
  )
  return mapOutcome(answer, ({ survey }) => ({ id: survey.id }))
}

export async function createFromTemplate(
  slug: unknown,
  template: unknown,
  page?: unknown,
): Promise<ActionResult<{ id: string }>> {
  const input = surveyTemplates.find(({ id }) => id === template)?.input
  if (!input) {
    await requireViewer()
    return failedWith('There is no such template.')
  }
  const onPage = page === undefined ? {} : targetingOfPage(asText(page))
  return await createSurvey(slug, { ...input, targeting: { ...input.targeting, ...onPage } })
}

/** Creates a survey for the persons of a number, from a template or blank. */
export async function createSurveyForNumber(
  slug: unknown,
  cohort: unknown,
  template: unknown,
): Promise<ActionResult<{ id: string }>> {
  const found = surveyTemplates.find(({ id }) => id === template)?.input
  const input = found ?? { name: asText(Object(cohort).name) || 'Untitled survey' }
  const answer = await runProjectChange(slug, (product, projectId, viewer) =>
    withNumberCohort(product, projectId, cohort, viewer, (person) =>
      product.surveys.create(projectId, { ...input, targeting: { person } }, viewer),
    ),
  )
  return mapOutcome(answer, ({ survey }) => ({ id: survey.id }))
}

export async function saveSurvey(
  slug: unknown,
  id: unknown,
  input: unknown,
): Promise<ActionResult<{ survey: OpenedSurvey }>> {
  const answer = await runProjectChange(slug, ({ surveys }, projectId, viewer) =>
    surveys.change(projectId, asText(id), input, viewer),
  )
  return mapOutcome(answer, ({ survey }) => ({ survey: openedSurvey(survey) }))
}

/** Loads the current survey after a conflict with another member's change. */
export async function reloadSurvey(
  slug: unknown,
  id: unknown,
): Promise<ActionResult<{ survey: OpenedSurvey }>> {
  const viewer = await requireViewer()
  const { projects, surveys } = getProduct()
  return await catchRefusals(async () => {
    const survey = await surveys.find(projects.find(asText(slug), viewer).id, asText(id), viewer)
    return survey
      ? { done: true, survey: openedSurvey(survey) }
      : failedWith('There is no such survey in this project.')
  })
}

export async function duplicateSurvey(slug: unknown, id: unknown): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ surveys }, projectId, viewer) =>
    surveys.duplicate(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, ({ survey }) => ({ id: survey.id }))
}

export async function archiveSurvey(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ surveys }, projectId, viewer) =>
    surveys.archive(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function restoreSurvey(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ surveys }, projectId, viewer) =>
    surveys.restore(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** Launches now, or at the instant that `at` names. */
export async function launchSurvey(slug: unknown, id: unknown, at: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ surveys }, projectId, viewer) =>
    surveys.launch(projectId, asText(id), at === undefined ? {} : { at }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function stopSurvey(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ surveys }, projectId, viewer) =>
    surveys.stop(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function resumeSurvey(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ surveys }, projectId, viewer) =>
    surveys.resume(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** The events of the response stay; it only counts no more. */
export async function removeResponse(slug: unknown, id: unknown, response: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ surveys: { results: surveyResults } }, projectId, viewer) =>
    surveyResults.removeResponse(projectId, asText(id), asText(response), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function restoreResponse(slug: unknown, id: unknown, response: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ surveys: { results: surveyResults } }, projectId, viewer) =>
    surveyResults.restoreResponse(projectId, asText(id), asText(response), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export interface SurveyAudienceCount {
  matching: number
  of: number
  /** The conditions that could not be counted, a sentence each. With any, fewer may match. */
  left: string[]
}

/** Counts the persons of the last week who match the conditions, saved or not. */
export async function countSurveyAudience(
  slug: unknown,
  input: unknown,
): Promise<ActionResult<SurveyAudienceCount>> {
  const viewer = await requireViewer()
  const { projects, people, surveys } = getProduct()
  return await tryEngine(async () => {
    const { id } = projects.find(asText(slug), viewer)
    const parsed = surveys.audience(id, input, daysOfAudience, viewer)
    if (!parsed.done) return parsed
    const { definition, left } = parsed.audience
    return mapOutcome(await people.matching(id, definition, viewer), ({ matching, of }) => ({
      matching,
      of,
      left,
    }))
  })
}

const daysOfAudience = 7

export async function tagResponse(
  slug: unknown,
  id: unknown,
  response: unknown,
  tags: unknown,
): Promise<ActionResult> {
  const outcome = await runProjectChange(slug, ({ surveys: { results: surveyResults } }, projectId, viewer) =>
    surveyResults.tagResponse(projectId, asText(id), asText(response), { tags }, viewer),
  )
  return mapOutcome(outcome, () => ({}))
}
