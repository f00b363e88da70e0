'use server'

import { type ActionResult, mapOutcome } from '#app/(studio)/action-result'
import { asText } from '#app/(studio)/form-data'
import { runProjectChange } from '#app/(studio)/refusals'

export async function decideComment(slug: unknown, id: unknown, state: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ comments }, projectId, viewer) =>
    comments.decide(projectId, asText(id), { state: asText(state) }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removeComment(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ comments }, projectId, viewer) =>
    comments.remove(projectId, asText(id), viewer),
  )
}
