'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runChange } from '#studio/parts/refusals'

export async function saveMailServer(formData: unknown): Promise<ActionResult> {
  const form = asFormData(formData)
  const input = {
    host: asText(form.get('host')),
    port: Number(asText(form.get('port'))),
    isSecure: form.get('security') === 'tls',
    user: asText(form.get('user')),
    password: asText(form.get('password')),
    from: asText(form.get('from')),
  }
  return await runChange(({ projects: { mailServer } }, viewer) => mailServer.change(input, viewer))
}

export async function removeMailServer(): Promise<ActionResult> {
  return await runChange(({ projects: { mailServer } }, viewer) => mailServer.remove(viewer))
}

export async function sendTestEmail(): Promise<ActionResult<{ address: string }>> {
  const answer = await runChange(({ projects: { mailServer } }, viewer) => mailServer.sendTest(viewer))
  return mapOutcome(answer, ({ address }) => ({ address }))
}
