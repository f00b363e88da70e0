'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

export async function decideComment(slug: unknown, id: unknown, state: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts: { comments } }, projectId, viewer) =>
    comments.decide(projectId, asText(id), { state: asText(state) }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removeComment(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ posts: { comments } }, projectId, viewer) =>
    comments.remove(projectId, asText(id), viewer),
  )
}
