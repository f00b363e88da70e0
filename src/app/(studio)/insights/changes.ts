'use server'

import { type ActionResult, mapOutcome } from '../action-result'
import { asFormData, asText } from '../form-data'
import { runProjectChange } from '../refusals'

/** Keeps a question under a name. */
export async function saveInsight(
  slug: unknown,
  question: unknown,
  form: unknown,
): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.create(projectId, { ...insightFieldsIn(asFormData(form)), question }, viewer),
  )
  return mapOutcome(answer, ({ insight }) => ({ id: insight.id }))
}

export async function changeInsight(slug: unknown, id: unknown, change: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.change(projectId, asText(id), change, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** What it is called, and where it lies. */
export async function renameInsight(slug: unknown, id: unknown, form: unknown): Promise<ActionResult> {
  return await changeInsight(slug, id, insightFieldsIn(asFormData(form)))
}

export async function duplicateInsight(slug: unknown, id: unknown): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.duplicate(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, ({ insight }) => ({ id: insight.id }))
}

export async function archiveInsight(slug: unknown, id: unknown, anyway: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.archive(projectId, asText(id), { anyway: anyway === true }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function restoreInsight(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.restore(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function restoreVersion(slug: unknown, id: unknown, version: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.restoreVersion(projectId, asText(id), Number(version), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function setFavourite(slug: unknown, id: unknown, isFavourite: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.setFavourite(projectId, asText(id), isFavourite === true, viewer),
  )
}

/** A form says lists as JSON. */
const insightFieldsIn = (form: FormData) => ({
  name: form.get('name'),
  description: form.get('description') ?? '',
  folder: form.get('folder') ?? '',
  tags: listIn(form.get('tags')),
})

function listIn(text: FormDataEntryValue | null): unknown {
  try {
    return JSON.parse(asText(text) || '[]')
  } catch {
    return []
  }
}
