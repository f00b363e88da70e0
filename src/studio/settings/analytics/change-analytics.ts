'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

export async function changeUnits(slug: unknown, form: unknown): Promise<ActionResult> {
  const formData = asFormData(form)
  return await changeAnswers(slug, {
    currency: asText(formData.get('answers.currency')),
    weekStart: asText(formData.get('answers.weekStart')),
  })
}

/** Takes a filter; undefined removes the present one. The project's schema checks it. */
export async function changeInternalUsers(slug: unknown, filter: unknown): Promise<ActionResult> {
  return await changeAnswers(slug, { testAccounts: filter })
}

export async function changeVisits(slug: unknown, form: unknown): Promise<ActionResult> {
  const formData = asFormData(form)
  const rule = formData.get('bounceRule')
  return await changeAnswers(slug, {
    bounceRule: rule === 'posthog' ? 'posthog' : 'plausible',
    bounceSeconds:
      rule === 'engaged' || rule === 'posthog'
        ? Number(asText(formData.get('answers.bounceSeconds')))
        : undefined,
    attribution: asText(formData.get('answers.attribution')),
  })
}

/** Takes the patterns as a list. The project's schema checks them. */
export async function changePageGroups(slug: unknown, pageGroups: unknown): Promise<ActionResult> {
  return await changeAnswers(slug, { pageGroups })
}

/** The settings of one form; those of the other stay. */
async function changeAnswers(slug: unknown, changed: object): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ projects }, projectId, viewer) =>
    projects.changeSettings(projectId, { answers: changed }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}
