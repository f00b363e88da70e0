'use server'

import { installationAddress } from '#studio/connect/address'
import type { ActionResult } from '#studio/parts/action-result'
import { formFields } from '#studio/parts/form-data'
import { runChange } from '#studio/parts/refusals'

const issuer = async (): Promise<string> => new URL(await installationAddress()).origin

/** Lets an assistant act for the member; the browser then goes back to it with a code. */
export async function allowAssistant(
  parameters: unknown,
  form: unknown,
): Promise<ActionResult<{ location: string }>> {
  const address = await issuer()
  return await runChange(({ agentAccess }, viewer) =>
    agentAccess.consent.approve(parameters, formFields(form), viewer, address),
  )
}

export async function denyAssistant(parameters: unknown): Promise<ActionResult<{ location: string }>> {
  const address = await issuer()
  return await runChange(({ agentAccess }) => agentAccess.consent.deny(parameters, address))
}
