'use server'

import type { ActionResult } from '#studio/parts/action-result'
import { formFields, asText } from '#studio/parts/form-data'
import { runChange } from '#studio/parts/refusals'

/** Name and e-mail come in forms of their own: one needs the password, the other does not. */
export async function changeAccount(form: unknown): Promise<ActionResult> {
  return await runChange(({ projects: { members } }, viewer) =>
    members.changeAccount(formFields(form), viewer),
  )
}

export async function changePassword(form: unknown): Promise<ActionResult> {
  return await runChange(({ projects: { members } }, viewer) =>
    members.changePassword(formFields(form), viewer),
  )
}

export async function endSession(id: unknown): Promise<ActionResult> {
  return await runChange(({ signIn: { sessions } }, viewer) => sessions.revoke(asText(id), viewer))
}

export async function endOtherSessions(): Promise<ActionResult> {
  return await runChange(({ signIn: { sessions } }, viewer) => sessions.revokeOthers(viewer))
}
