'use server'

import { type ActionResult, mapOutcome } from '../action-result'
import { asFormData, asText } from '../form-data'
import { runProjectChange } from '../refusals'

/** The token of the link, which is returned only once. */
export async function createShare(
  slug: unknown,
  subject: unknown,
  form: unknown,
): Promise<ActionResult<{ token: string }>> {
  const shareInput = {
    subject,
    ...settingsIn(asFormData(form)),
    password: asFormData(form).get('password') || null,
  }
  const outcome = await runProjectChange(slug, ({ shares }, projectId, viewer) =>
    shares.create(projectId, shareInput, viewer),
  )
  return mapOutcome(outcome, ({ token }) => ({ token }))
}

/** An empty password leaves the one there is. */
export async function changeShare(slug: unknown, id: unknown, form: unknown): Promise<ActionResult> {
  const formData = asFormData(form)
  const password = formData.has('withoutPassword') ? null : formData.get('password') || undefined
  const shareInput = { ...settingsIn(formData), ...(password !== undefined && { password }) }
  const outcome = await runProjectChange(slug, ({ shares }, projectId, viewer) =>
    shares.change(projectId, asText(id), shareInput, viewer),
  )
  return mapOutcome(outcome, () => ({}))
}

export async function renewShare(slug: unknown, id: unknown): Promise<ActionResult<{ token: string }>> {
  const outcome = await runProjectChange(slug, ({ shares }, projectId, viewer) =>
    shares.renew(projectId, asText(id), viewer),
  )
  return mapOutcome(outcome, ({ token }) => ({ token }))
}

export async function revokeShare(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ shares }, projectId, viewer) =>
    shares.revoke(projectId, asText(id), viewer),
  )
}

const settingsIn = (formData: FormData) => ({
  mayChangePeriod: formData.has('mayChangePeriod'),
  frameHosts: asText(formData.get('frameHosts'))
    .split(/[\s,]+/)
    .filter(Boolean),
  lastDay: formData.get('lastDay') || null,
})
