'use server'

import { type Answer, told } from '../answer'
import { formIn, textIn } from '../given'
import { changingProject } from '../refusals'

/** The token makes the link, and is told this once. */
export async function createShare(
  slug: unknown,
  subject: unknown,
  form: unknown,
): Promise<Answer<{ token: string }>> {
  const wanted = { subject, ...settingsIn(formIn(form)), password: formIn(form).get('password') || null }
  const outcome = await changingProject(slug, ({ shares }, projectId, viewer) =>
    shares.create(projectId, wanted, viewer),
  )
  return told(outcome, ({ token }) => ({ token }))
}

/** An empty password leaves the one there is. */
export async function changeShare(slug: unknown, id: unknown, form: unknown): Promise<Answer> {
  const given = formIn(form)
  const password = given.has('withoutPassword') ? null : given.get('password') || undefined
  const wanted = { ...settingsIn(given), ...(password !== undefined && { password }) }
  const outcome = await changingProject(slug, ({ shares }, projectId, viewer) =>
    shares.change(projectId, textIn(id), wanted, viewer),
  )
  return told(outcome, () => ({}))
}

export async function renewShare(slug: unknown, id: unknown): Promise<Answer<{ token: string }>> {
  const outcome = await changingProject(slug, ({ shares }, projectId, viewer) =>
    shares.renew(projectId, textIn(id), viewer),
  )
  return told(outcome, ({ token }) => ({ token }))
}

export async function revokeShare(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ shares }, projectId, viewer) =>
    shares.revoke(projectId, textIn(id), viewer),
  )
}

const settingsIn = (given: FormData) => ({
  mayChangePeriod: given.has('mayChangePeriod'),
  frameHosts: textIn(given.get('frameHosts'))
    .split(/[\s,]+/)
    .filter(Boolean),
  lastDay: given.get('lastDay') || null,
})
