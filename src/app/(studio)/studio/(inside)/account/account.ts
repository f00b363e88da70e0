'use server'

import type { Answer } from '../../../answer'
import { fieldsIn, textIn } from '../../../given'
import { changing } from '../../../refusals'

/** Name and e-mail come in forms of their own: one needs the password, the other does not. */
export async function changeAccount(form: unknown): Promise<Answer> {
  return await changing(({ members }, viewer) => members.changeAccount(fieldsIn(form), viewer))
}

export async function changePassword(form: unknown): Promise<Answer> {
  return await changing(({ members }, viewer) => members.changePassword(fieldsIn(form), viewer))
}

export async function endSession(id: unknown): Promise<Answer> {
  return await changing(({ sessions }, viewer) => sessions.revoke(textIn(id), viewer))
}

export async function endOtherSessions(): Promise<Answer> {
  return await changing(({ sessions }, viewer) => sessions.revokeOthers(viewer))
}
