import type { MetricRows } from '#experiments/results/metric-rows'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Config } from '#server/config'
import type { Product } from '#server/product'
import { callRunningTilth, refusalIn } from './call-running-tilth'

/** The parts of an experiment in the management API that the command reads. */
export interface ShownResult extends MetricRows {
  sentence: string
}

/** Reads the results from the Tilth that runs, which alone has the engine. */
export async function resultsOfRunning(
  product: Product,
  config: Config,
  { project, experiment }: { project: Project; experiment: string },
): Promise<Outcome<{ result: ShownResult }>> {
  const key = { name: 'tilth experiment show', scopes: ['project:read', 'experiments:read'] }
  return await callRunningTilth({ product, config, project, key }, async (call) => {
    const path = `/api/v1/projects/${project.id}/experiments/${encodeURIComponent(experiment)}/results`
    const answer = await call({ method: 'GET', path })
    if (answer.status !== 200) return refusalIn(answer)
    // the management API of this version answered
    return { done: true, result: JSON.parse(answer.body) as ShownResult }
  })
}
