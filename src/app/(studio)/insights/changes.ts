'use server'

import { type Answer, told } from '../answer'
import { formIn, textIn } from '../given'
import { changingProject } from '../refusals'

/** Keeps a question under a name. */
export async function saveInsight(
  slug: unknown,
  question: unknown,
  form: unknown,
): Promise<Answer<{ id: string }>> {
  const answer = await changingProject(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.create(projectId, { ...wordsIn(formIn(form)), question }, viewer),
  )
  return told(answer, ({ insight }) => ({ id: insight.id }))
}

export async function changeInsight(slug: unknown, id: unknown, change: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.change(projectId, textIn(id), change, viewer),
  )
  return told(answer, () => ({}))
}

/** What it is called, and where it lies. */
export async function renameInsight(slug: unknown, id: unknown, form: unknown): Promise<Answer> {
  return await changeInsight(slug, id, wordsIn(formIn(form)))
}

export async function duplicateInsight(slug: unknown, id: unknown): Promise<Answer<{ id: string }>> {
  const answer = await changingProject(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.duplicate(projectId, textIn(id), viewer),
  )
  return told(answer, ({ insight }) => ({ id: insight.id }))
}

export async function archiveInsight(slug: unknown, id: unknown, anyway: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.archive(projectId, textIn(id), { anyway: anyway === true }, viewer),
  )
  return told(answer, () => ({}))
}

export async function restoreInsight(slug: unknown, id: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.restore(projectId, textIn(id), viewer),
  )
  return told(answer, () => ({}))
}

export async function restoreVersion(slug: unknown, id: unknown, version: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.restoreVersion(projectId, textIn(id), Number(version), viewer),
  )
  return told(answer, () => ({}))
}

export async function favourInsight(slug: unknown, id: unknown, isFavourite: unknown): Promise<Answer> {
  return await changingProject(slug, ({ savedInsights }, projectId, viewer) =>
    savedInsights.favour(projectId, textIn(id), isFavourite === true, viewer),
  )
}

/** A form says lists as JSON. */
const wordsIn = (form: FormData) => ({
  name: form.get('name'),
  description: form.get('description') ?? '',
  folder: form.get('folder') ?? '',
  tags: listIn(form.get('tags')),
})

function listIn(text: FormDataEntryValue | null): unknown {
  try {
    return JSON.parse(textIn(text) || '[]')
  } catch {
    return []
  }
}
