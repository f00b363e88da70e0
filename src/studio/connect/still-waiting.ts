import type { Opened } from '#studio/parts/open-project'
import { isEngineError } from '#studio/parts/refusals'
import { getProduct } from '#studio/product'

/** Whether the project never had an event. False while the engine is unavailable. */
export async function isStillWaiting({
  project,
  viewer,
}: Pick<Opened, 'project' | 'viewer'>): Promise<boolean> {
  try {
    return !(await getProduct().insights.latest.hasAny(project.id, viewer))
  } catch (problem) {
    if (isEngineError(problem)) return false
    throw problem
  }
}
