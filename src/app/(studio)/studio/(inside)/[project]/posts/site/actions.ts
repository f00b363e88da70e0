'use server'

import { type ActionResult, mapOutcome } from '#app/(studio)/action-result'
import { runProjectChange } from '#app/(studio)/refusals'

export async function saveSite(slug: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ sites }, projectId, viewer) =>
    sites.change(projectId, input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}
