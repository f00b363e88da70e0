import type { TableSource } from '#store/store'
import { statusOf } from './experiment'
import { experimentsOf } from './internal/store'

/** The names of a project's running experiments, by the key of their flag. */
export async function runningExperiments(
  source: TableSource,
  projectId: number,
): Promise<ReadonlyMap<string, string>> {
  const all = await experimentsOf(source, projectId)
  return new Map(
    all.filter((one) => statusOf(one) === 'running').map(({ flag, name }): [string, string] => [flag, name]),
  )
}
