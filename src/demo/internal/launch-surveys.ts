import type { Viewer } from '#projects/access'
import type { Product } from '#server/product'
import { requireDone } from './require-done'
import { dayMs } from './story'
import { demoSurveys } from './surveys'

/** Creates and launches the surveys that the project does not have yet. */
export async function addDemoSurveys(
  { surveys }: Pick<Product, 'surveys'>,
  projectId: number,
  begin: Date,
  viewer: Viewer,
): Promise<void> {
  const existing = new Set((await surveys.list(projectId, viewer)).map(({ id }) => id))
  for (const { id, input, launchDay } of demoSurveys) {
    if (existing.has(id)) continue
    requireDone(await surveys.create(projectId, input, viewer))
    const at = new Date(begin.getTime() + launchDay * dayMs)
    requireDone(await surveys.launch(projectId, id, { at }, viewer))
  }
}
