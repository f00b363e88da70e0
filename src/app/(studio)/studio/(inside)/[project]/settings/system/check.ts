'use server'

import { requireRight } from '#projects/access'
import type { ActionResult } from '#app/(studio)/action-result'
import { runProjectChange } from '#app/(studio)/refusals'

/** Changes nothing: the page that is rendered afterwards runs the checks. */
export async function checkNow(slug: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, async (product, projectId, viewer) => {
    requireRight('audit:read', projectId, viewer)
    await product.ping()
    return { done: true }
  })
}
