'use server'

import { instantOf } from '#insights/calendar/local-time'
import { type ActionResult, failedWith, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

/** Adds one, or changes the one of this id. */
export async function saveAnnotation(
  slug: unknown,
  id: unknown,
  dashboard: unknown,
  form: unknown,
): Promise<ActionResult> {
  const formData = asFormData(form)
  return await runProjectChange(slug, async ({ projects, insights }, projectId, viewer) => {
    const { annotations } = insights
    const { timeZone } = projects.find(asText(slug), viewer)
    const at = instantOf({ day: asText(formData.get('day')), time: asText(formData.get('time')) }, timeZone)
    if (!at) return failedWith('Choose a date and a time.')
    const annotationInput = { at: at.toISOString(), text: formData.get('text') }
    const outcome =
      asText(id) === ''
        ? await annotations.create(projectId, { ...annotationInput, ...scopeIn(formData, dashboard) }, viewer)
        : await annotations.change(projectId, asText(id), annotationInput, viewer)
    return mapOutcome(outcome, () => ({}))
  })
}

const scopeIn = (formData: FormData, dashboard: unknown) =>
  formData.get('scope') === 'dashboard'
    ? { scope: 'dashboard', subject: asText(dashboard) }
    : { scope: 'project' }

export async function removeAnnotation(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ insights: { annotations } }, projectId, viewer) =>
    annotations.remove(projectId, asText(id), viewer),
  )
}
