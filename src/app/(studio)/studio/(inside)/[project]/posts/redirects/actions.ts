'use server'

import { type ActionResult, mapOutcome } from '#app/(studio)/action-result'
import { formFields, asText } from '#app/(studio)/form-data'
import { runProjectChange } from '#app/(studio)/refusals'

export async function addRedirect(slug: unknown, form: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ redirects }, projectId, viewer) =>
    redirects.create(projectId, formFields(form), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removeRedirect(slug: unknown, from: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ redirects }, projectId, viewer) =>
    redirects.remove(projectId, asText(from), viewer),
  )
}
