'use server'

import { type Answer, told } from '../../../../../answer'
import { changingProject } from '../../../../../refusals'

/** Without an id it is a new one. */
export async function saveHoldout(slug: unknown, id: unknown, input: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ holdouts }, projectId, viewer) =>
    id === undefined
      ? holdouts.create(projectId, input, viewer)
      : holdouts.change(projectId, Number(id), input, viewer),
  )
  return told(answer, () => ({}))
}

export async function removeHoldout(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ holdouts }, projectId, viewer) =>
    holdouts.remove(projectId, Number(id), viewer),
  )
}
