'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'
import { listFilterOf } from './list-filter'

export async function createPersonList(
  slug: unknown,
  filter: unknown,
  form: unknown,
): Promise<ActionResult<{ id: string }>> {
  const formData = asFormData(form)
  const answer = await runProjectChange(slug, ({ people: { lists: personLists } }, projectId, viewer) =>
    personLists.create(
      projectId,
      {
        name: formData.get('name'),
        question: listFilterOf(filter),
        isShared: formData.has('isShared'),
      },
      viewer,
    ),
  )
  return mapOutcome(answer, ({ personList }) => ({ id: personList.id }))
}

export async function updatePersonList(slug: unknown, id: unknown, filter: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ people: { lists: personLists } }, projectId, viewer) =>
    personLists.change(projectId, asText(id), { question: listFilterOf(filter) }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removePersonList(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ people: { lists: personLists } }, projectId, viewer) =>
    personLists.remove(projectId, asText(id), viewer),
  )
}
