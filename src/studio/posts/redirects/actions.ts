'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { formFields, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

export async function addRedirect(slug: unknown, form: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts: { redirects } }, projectId, viewer) =>
    redirects.create(projectId, formFields(form), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removeRedirect(slug: unknown, from: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ posts: { redirects } }, projectId, viewer) =>
    redirects.remove(projectId, asText(from), viewer),
  )
}
