'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asNumber } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

/** Without an id it is a new one. */
export async function saveHoldout(slug: unknown, id: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags: { holdouts } }, projectId, viewer) =>
    id === undefined
      ? holdouts.create(projectId, input, viewer)
      : holdouts.change(projectId, asNumber(id), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removeHoldout(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ flags: { holdouts } }, projectId, viewer) =>
    holdouts.remove(projectId, asNumber(id), viewer),
  )
}

/** Without an id it is a new one. */
export async function saveLayer(slug: unknown, id: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ flags: { layers } }, projectId, viewer) =>
    id === undefined
      ? layers.create(projectId, input, viewer)
      : layers.change(projectId, asNumber(id), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removeLayer(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ flags: { layers } }, projectId, viewer) =>
    layers.remove(projectId, asNumber(id), viewer),
  )
}
