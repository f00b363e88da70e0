import type { Recipient } from '#alerts/recipient'
import type { TableSource } from '#store/store'
import { findExperiment } from './internal/store'

/** The recipients that an experiment has chosen, with sealed secrets; none if it has not or is gone. */
export async function recipientsOfExperiment(
  source: TableSource,
  projectId: number,
  id: string,
): Promise<readonly Recipient[]> {
  return (await findExperiment(source, projectId, id))?.recipients ?? []
}
