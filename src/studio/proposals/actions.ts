'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

export async function approveProposal(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ proposals }, projectId, viewer) =>
    proposals.approve(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function refuseProposal(slug: unknown, id: unknown, form: unknown): Promise<ActionResult> {
  const reason = asText(asFormData(form).get('reason'))
  return await runProjectChange(slug, ({ proposals }, projectId, viewer) =>
    proposals.refuse(projectId, asText(id), { reason }, viewer),
  )
}
