'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asNumber, asText } from '#studio/parts/form-data'
import { chosenDashboardIn, placeCard } from '#studio/card-placement/place-card'
import { runProjectChange } from '#studio/parts/refusals'

interface SavedInsightResult {
  id: string
  /** The dashboard it was added to. */
  dashboard?: { id: string; name: string }
  /** Why it was saved, but not added to the chosen dashboard. */
  notPlaced?: string
}

/** Saves a query under a name, and adds it to the dashboard that the form names. */
export async function saveInsight(
  slug: unknown,
  query: unknown,
  form: unknown,
): Promise<ActionResult<SavedInsightResult>> {
  const formData = asFormData(form)
  const read = chosenDashboardIn(formData)
  if (!read.done) return read
  const { chosen } = read
  return await runProjectChange<SavedInsightResult>(slug, async (product, projectId, viewer) => {
    const insightInput = { ...insightFieldsIn(formData), question: query }
    const saved = await product.insights.saved.create(projectId, insightInput, viewer)
    if (!saved.done) return saved
    const { id } = saved.insight
    if (!chosen) return { done: true, id }
    const placed = await placeCard(
      product,
      projectId,
      { content: { type: 'insight', insight: id }, chosen },
      viewer,
    )
    return placed.done
      ? { done: true, id, dashboard: placed.dashboard }
      : { done: true, id, notPlaced: placed.problems.map(({ message }) => message).join(' ') }
  })
}

export async function changeInsight(slug: unknown, id: unknown, change: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ insights: { saved: savedInsights } }, projectId, viewer) =>
    savedInsights.change(projectId, asText(id), change, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** Changes the insight's name and folder. */
export async function renameInsight(slug: unknown, id: unknown, form: unknown): Promise<ActionResult> {
  return await changeInsight(slug, id, insightFieldsIn(asFormData(form)))
}

export async function duplicateInsight(slug: unknown, id: unknown): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ insights: { saved: savedInsights } }, projectId, viewer) =>
    savedInsights.duplicate(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, ({ insight }) => ({ id: insight.id }))
}

export async function archiveInsight(slug: unknown, id: unknown, anyway: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ insights: { saved: savedInsights } }, projectId, viewer) =>
    savedInsights.archive(projectId, asText(id), { anyway: anyway === true }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function restoreInsight(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ insights: { saved: savedInsights } }, projectId, viewer) =>
    savedInsights.restore(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function restoreVersion(slug: unknown, id: unknown, version: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ insights: { saved: savedInsights } }, projectId, viewer) =>
    savedInsights.restoreVersion(projectId, asText(id), asNumber(version), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function setFavourite(slug: unknown, id: unknown, isFavourite: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ insights: { saved: savedInsights } }, projectId, viewer) =>
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
