'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { formFields, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

export async function createEnvironment(slug: unknown, form: unknown): Promise<ActionResult> {
  const { name, writeKey } = formFields(form)
  const answer = await runProjectChange(slug, ({ flags: { environments } }, projectId, viewer) =>
    environments.create(projectId, writeKey === '' ? { name } : { name, writeKey }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function renewEnvironmentKey(slug: unknown, name: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags: { environments } }, projectId, viewer) =>
    environments.renewKey(projectId, asText(name), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removeEnvironment(slug: unknown, name: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags: { environments } }, projectId, viewer) =>
    environments.remove(projectId, asText(name), viewer),
  )
  return mapOutcome(answer, () => ({}))
}
