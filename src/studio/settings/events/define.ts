'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

/** Saves what a member says about a name: as its definition, or as a change of the one it has. */
export async function define(
  slug: unknown,
  type: unknown,
  name: unknown,
  form: unknown,
): Promise<ActionResult> {
  const formData = asFormData(form)
  const definition = {
    description: asText(formData.get('description')),
    isVerified: formData.has('isVerified'),
    isHidden: formData.has('isHidden'),
  }
  const answer = await runProjectChange(slug, async ({ insights }, projectId, viewer) => {
    const { definitions: dataDefinitions } = insights
    const all = await dataDefinitions.list(projectId, viewer)
    const before = all.find((one) => one.type === type && one.name === name)
    return before
      ? await dataDefinitions.change(projectId, before.id, definition, viewer)
      : await dataDefinitions.create(projectId, { type, name, ...definition }, viewer)
  })
  return mapOutcome(answer, () => ({}))
}
