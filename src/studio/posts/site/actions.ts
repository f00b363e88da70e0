'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { runProjectChange } from '#studio/parts/refusals'

export async function saveSite(slug: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ posts: { sites } }, projectId, viewer) =>
    sites.change(projectId, input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}
