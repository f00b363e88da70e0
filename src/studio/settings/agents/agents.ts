'use server'

import type { ActionResult } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

export async function changeAgents(slug: unknown, mayConnect: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ agentAccess }, projectId, viewer) =>
    agentAccess.change(projectId, { mayConnect }, viewer),
  )
}

export async function revokeAgent(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ agentAccess }, projectId, viewer) =>
    agentAccess.revoke(projectId, asText(id), viewer),
  )
}
