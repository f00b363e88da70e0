import type { VisitorBatchSource } from './evaluated-visitors'
import { firstKeptIds, keptIdsOfEach } from '../../kept-ids'
import { personIdOf } from '#persons/person'
import { findNumbersOfPersons, findPersonsByDistinctIds } from '#persons/person-aliases'
import { groupsOf, personsOf } from '#persons/store'
import type { Store } from '#store/store'

/** Reads what the look-ups of flag requests read, for many visitors at once. */
export function storedVisitors(store: Store): VisitorBatchSource {
  const personIds = async (projectId: number, distinctIds: readonly string[]) => {
    const { claimed, own } = await findPersonsByDistinctIds(store, projectId, distinctIds)
    return new Map([...claimed, ...own])
  }
  return {
    async persons(projectId, distinctIds) {
      const ids = await personIds(projectId, distinctIds)
      const stored = await personsOf(store, projectId, [...new Set(ids.values())])
      const properties = new Map(stored.map((person) => [person.id, person.properties]))
      return new Map(
        [...ids].map(([distinctId, id]) => [distinctId, { id, properties: properties.get(id) ?? {} }]),
      )
    },
    groups: (projectId, keys) => groupsOf(store, projectId, keys),
    async keptIds(projectId, distinctIds) {
      const ids = await personIds(projectId, distinctIds)
      const numbers = await findNumbersOfPersons(store, projectId, [...new Set(ids.values())])
      const all = distinctIds.map((distinctId) => personIdOf(projectId, distinctId))
      const kept = await keptIdsOfEach(store, projectId, [
        ...new Set([...all, ...[...numbers.values()].flat()]),
      ])
      return new Map(
        [...ids].map(([distinctId, id]) => {
          const own = [personIdOf(projectId, distinctId), ...(numbers.get(id) ?? [])]
          return [distinctId, firstKeptIds(kept, own)]
        }),
      )
    },
  }
}
