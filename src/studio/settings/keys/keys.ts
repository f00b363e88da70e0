'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

/** The text of the key is sent to the browser once; only its hash is stored. */
export async function createKey(slug: unknown, form: unknown): Promise<ActionResult<{ text: string }>> {
  const answer = await runProjectChange(slug, ({ projects: { keys } }, projectId, viewer) =>
    keys.create(projectId, keyIn(asFormData(form)), viewer),
  )
  return mapOutcome(answer, ({ text }) => ({ text }))
}

export async function revokeKey(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ projects: { keys } }, projectId, viewer) =>
    keys.revoke(projectId, asText(id), viewer),
  )
}

/** A form says several scopes under one name, and nothing where a key has no end. */
const keyIn = (form: FormData) => ({
  name: form.get('name'),
  scopes: form.has('every') ? 'every' : form.getAll('scope'),
  days: form.get('days') || undefined,
})
