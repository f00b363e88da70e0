import type { Store } from '../store/store'
import { personIdOf } from './person'
import { claimsOf, idsOf, mergedInto, numbersInto } from './store'

/** Who somebody is now, and under what they were ever known. */
export interface KnownAs {
  personId: string
  /** Every number that events may carry for them. */
  numbers: string[]
  /** Those that were ever claimed by them; whoever was never merged has only the one their events say. */
  distinctIds: string[]
}

/** An address written before a merge leads to who they are now. */
export async function knownAs(
  source: Pick<Store, 'tables'>,
  projectId: number,
  number: string,
): Promise<KnownAs> {
  const personId = (await mergedInto(source, projectId, number)) ?? number
  const [distinctIds, merged] = await Promise.all([
    idsOf(source, projectId, personId),
    numbersInto(source, projectId, personId),
  ])
  const own = distinctIds.map((distinctId) => personIdOf(projectId, distinctId))
  return { personId, numbers: [...new Set([personId, ...merged, ...own])], distinctIds }
}

/**
 * Whom distinct ids stand for: somebody who claimed them, or else a person of their own, who may never have been heard
 * of.
 */
export async function personsNamedAs(
  source: Pick<Store, 'tables'>,
  projectId: number,
  distinctIds: readonly string[],
): Promise<{ claimed: ReadonlyMap<string, string>; own: ReadonlyMap<string, string> }> {
  const claims = await claimsOf(source, projectId, distinctIds)
  const claimed = new Map(claims.map(({ distinctId, personId }) => [distinctId, personId]))
  const others = distinctIds.filter((distinctId) => !claimed.has(distinctId))
  return {
    claimed,
    own: new Map(others.map((distinctId) => [distinctId, personIdOf(projectId, distinctId)])),
  }
}
