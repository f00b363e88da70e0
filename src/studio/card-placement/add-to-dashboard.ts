'use server'

import { requireRight } from '#projects/access'
import type { ActionResult } from '#studio/parts/action-result'
import { asFormData } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'
import { chosenDashboardIn, placeCard } from './place-card'

/** Adds a card to the dashboard that the form names, or to a new one. */
export async function addToDashboard(
  slug: unknown,
  content: unknown,
  form: unknown,
): Promise<ActionResult<{ dashboard: { id: string; name: string } }>> {
  return await runProjectChange(slug, async (product, projectId, viewer) => {
    requireRight('insights:write', projectId, viewer)
    const read = chosenDashboardIn(asFormData(form))
    if (!read.done) return read
    const { chosen } = read
    if (!chosen) return { done: false, problems: [{ field: 'dashboard', message: 'Choose a dashboard.' }] }
    return await placeCard(product, projectId, { content, chosen }, viewer)
  })
}
