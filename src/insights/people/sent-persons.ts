import type { Properties } from '#events/event'
import { idsBehindPersons, personsOf } from '#persons/store'
import type { Store } from '#store/store'

/** A person with the values that were sent. */
export interface SentPerson {
  id: string
  properties: Properties
  isIdentified: boolean
  createdAt: Date
  /** Ids that the person claimed; persons of one id alone have none here. */
  distinctIds: string[]
}

export async function sentPersons(
  store: Store,
  projectId: number,
  ids: readonly string[],
): Promise<SentPerson[]> {
  const stored = await personsOf(store, projectId, [...new Set(ids)])
  const claims = await idsBehindPersons(
    store,
    projectId,
    stored.map(({ id }) => id),
  )
  const byPerson = Map.groupBy(claims.distinctIds, ({ personId }) => personId)
  return stored.map(({ id, properties, isIdentified, createdAt }) => ({
    id,
    properties,
    isIdentified,
    createdAt,
    distinctIds: (byPerson.get(id) ?? []).map(({ distinctId }) => distinctId),
  }))
}
