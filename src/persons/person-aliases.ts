import type { TableSource } from '#store/store'
import { personIdOf } from './person'
import { distinctIdClaims, distinctIdsOf, idsBehindPersons, mergedInto, idsMergedInto } from './store'

/** A person's current id, and every id they ever had. */
export interface PersonAliases {
  personId: string
  /** Every person id that their events may have. */
  numbers: string[]
  /** Distinct ids that the person has claimed. A person without merges may have none here: their events name it. */
  distinctIds: string[]
}

/** Finds a person by any of their ids, so that links from before a merge still work. */
export async function findPersonAliases(
  source: TableSource,
  projectId: number,
  number: string,
): Promise<PersonAliases> {
  const personId = (await mergedInto(source, projectId, number)) ?? number
  const [distinctIds, merged] = await Promise.all([
    distinctIdsOf(source, projectId, personId),
    idsMergedInto(source, projectId, personId),
  ])
  const own = distinctIds.map((distinctId) => personIdOf(projectId, distinctId))
  return { personId, numbers: [...new Set([personId, ...merged, ...own])], distinctIds }
}

/**
 * Finds the persons of distinct ids: the person who claimed the id, or else the id's own person, who may not have any
 * events.
 */
export async function findPersonsByDistinctIds(
  source: TableSource,
  projectId: number,
  distinctIds: readonly string[],
): Promise<{ claimed: ReadonlyMap<string, string>; own: ReadonlyMap<string, string> }> {
  const claims = await distinctIdClaims(source, projectId, distinctIds)
  const claimed = new Map(claims.map(({ distinctId, personId }) => [distinctId, personId]))
  const others = distinctIds.filter((distinctId) => !claimed.has(distinctId))
  return {
    claimed,
    own: new Map(others.map((distinctId) => [distinctId, personIdOf(projectId, distinctId)])),
  }
}

/** Returns every person id that the events of each of these current persons may have. */
export async function findNumbersOfPersons(
  source: TableSource,
  projectId: number,
  personIds: readonly string[],
): Promise<Map<string, string[]>> {
  const numbers = new Map(personIds.map((id) => [id, new Set([id])]))
  const { distinctIds, merged } = await idsBehindPersons(source, projectId, personIds)
  for (const { distinctId, personId } of distinctIds)
    numbers.get(personId)?.add(personIdOf(projectId, distinctId))
  for (const { from, to } of merged) numbers.get(to)?.add(from)
  return new Map([...numbers].map(([id, own]) => [id, [...own]]))
}
