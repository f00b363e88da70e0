'use server'

import { requireRight } from '#projects/access'
import type { ActionResult } from '#studio/parts/action-result'
import { runProjectChange } from '#studio/parts/refusals'

/** Changes nothing: the page that is rendered afterwards runs the checks. */
export async function checkNow(slug: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, async (product, projectId, viewer) => {
    requireRight('audit:read', projectId, viewer)
    await product.ping()
    return { done: true }
  })
}
