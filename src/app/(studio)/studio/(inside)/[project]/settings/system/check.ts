'use server'

import { requireRight } from '../../../../../../../projects/access'
import type { Answer } from '../../../../../answer'
import { changingProject } from '../../../../../refusals'

/** Changes nothing: the page that is shown afresh afterwards has looked again. */
export async function checkNow(slug: unknown): Promise<Answer> {
  return await changingProject(slug, async (product, projectId, viewer) => {
    requireRight('audit:read', projectId, viewer)
    await product.ping()
    return { done: true }
  })
}
