'use server'

import type { ActionResult } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { runChange, runProjectChange } from '#studio/parts/refusals'

export async function requireSecondFactor(isOn: unknown): Promise<ActionResult> {
  return await runChange(({ signIn: { rules: signInRules } }, viewer) =>
    signInRules.change({ requireSecondFactor: isOn === true }, viewer),
  )
}

export async function requireSecondFactorIn(slug: unknown, isOn: unknown): Promise<ActionResult> {
  return await runProjectChange(asText(slug), ({ signIn: { rules: signInRules } }, projectId, viewer) =>
    signInRules.changeProject(projectId, { requireSecondFactor: isOn === true }, viewer),
  )
}
