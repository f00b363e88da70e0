'use server'

import { type Answer, told } from '../../../../../answer'
import { fieldsIn, textIn } from '../../../../../given'
import { changingProject } from '../../../../../refusals'

export async function addRedirect(slug: unknown, form: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ redirects }, projectId, viewer) =>
    redirects.create(projectId, fieldsIn(form), viewer),
  )
  return told(answer, () => ({}))
}

export async function removeRedirect(slug: unknown, from: unknown): Promise<Answer> {
  return await changingProject(slug, ({ redirects }, projectId, viewer) =>
    redirects.remove(projectId, textIn(from), viewer),
  )
}
