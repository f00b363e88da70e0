'use server'

import { type Answer, told } from '../../../../../answer'
import { textIn } from '../../../../../given'
import { changingProject } from '../../../../../refusals'

export async function decideComment(slug: unknown, id: unknown, state: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ comments }, projectId, viewer) =>
    comments.decide(projectId, textIn(id), { state: textIn(state) }, viewer),
  )
  return told(answer, () => ({}))
}

export async function removeComment(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ comments }, projectId, viewer) =>
    comments.remove(projectId, textIn(id), viewer),
  )
}
