import { LRUCache } from 'lru-cache'
import type { Engine } from '#engine/engine'
import type { PreparedEvent } from '#events/event'
import type { Store, StoreTransaction } from '#store/store'
import { yieldIfLong } from '#world/event-loop'
import { changedGroups, groupsMentioned, restoredGroups } from './internal/groups'
import { type DistinctIdClaim, IdentityLedger } from './internal/identity-ledger'
import { mirrorToEngine } from './mirror-to-engine'
import { personIdOf } from './person'
import type { ExportedGroup, ExportedPerson, ProfileOrigin } from './profile'
import {
  distinctIdClaims,
  groupsOf,
  distinctIdsOf,
  personsOf,
  journalProgress,
  saveClaims,
  saveGroups,
  saveOverrides,
  savePersons,
  saveJournalProgress,
} from './store'

interface IdentityResolverDependencies {
  store: Store
  engine: Engine
  journal: string
  /** False if other fronts merge persons too. */
  isOnlyWriter?: boolean
}

const maxCachedIds = 200_000
/** Merges of other fronts take effect after this time, well before the overrides that correct events are deleted. */
const cacheLifetimeMs = 60_000

/**
 * Finds the person of every event, and lets events change identities. It is called once for each batch, in journal
 * order. A batch's changes and the journal position are committed together, so that a batch read twice after a crash
 * changes nothing twice.
 */
export class IdentityResolver {
  /** Caches the person of each distinct id, also if it is its own: most ids return within minutes. */
  private readonly personByDistinctId = new LRUCache<string, string>({ max: maxCachedIds })
  private cacheStartedAt = performance.now()

  constructor(private readonly dependencies: IdentityResolverDependencies) {}

  /** The journal position up to which identities are processed; 0 before the first time. */
  async processedUpTo(): Promise<number> {
    return await journalProgress(this.dependencies.store, this.dependencies.journal)
  }

  async resolve(events: readonly PreparedEvent[], upTo: number): Promise<readonly string[]> {
    if (!events.some(affectsIdentities)) return await this.lookUp(events)
    await this.dependencies.store.transaction(async (transaction) => {
      if (upTo <= (await journalProgress(transaction, this.dependencies.journal))) return
      await this.apply(transaction, events)
      await saveJournalProgress(transaction, this.dependencies.journal, upTo)
    })
    return await this.lookUp(events)
  }

  /** Restores persons and groups of an export, for which there is no event. */
  async restore(
    { persons, groups }: { persons: readonly ExportedPerson[]; groups: readonly ExportedGroup[] },
    origin: ProfileOrigin,
  ): Promise<void> {
    const { projectId } = origin
    const ids = new Set(persons.flatMap(({ distinctIds }) => distinctIds))
    await this.dependencies.store.transaction(async (transaction) => {
      const ledger = await this.ledgerOf(transaction, new Map([[projectId, ids]]))
      for (const person of persons) {
        await yieldIfLong()
        await ledger.restore(person, origin)
      }
      await this.save(transaction, ledger)
      const known = await groupsOf(transaction, projectId, [...new Set(groups.map(({ key }) => key))])
      await saveGroups(transaction, restoredGroups(known, groups, projectId))
    })
  }

  /** Copies the changes since the last call to the engine; after a failure, the next call continues. */
  async mirror(): Promise<void> {
    await mirrorToEngine(this.dependencies.store, this.dependencies.engine)
  }

  /** Clears the cache, because some identities have changed. */
  clearCache(): void {
    this.personByDistinctId.clear()
  }

  private async apply(transaction: StoreTransaction, events: readonly PreparedEvent[]): Promise<void> {
    const ledger = await this.ledgerOf(transaction, idsIn(events))
    for (const event of events) {
      await yieldIfLong()
      await ledger.read(event)
    }
    await this.save(transaction, ledger)
    await this.applyToGroups(transaction, events)
  }

  private async ledgerOf(
    transaction: StoreTransaction,
    idsByProject: ReadonlyMap<number, ReadonlySet<string>>,
  ): Promise<IdentityLedger> {
    const claims: DistinctIdClaim[] = []
    for (const [projectId, ids] of idsByProject)
      claims.push(...(await distinctIdClaims(transaction, projectId, [...ids])))
    return new IdentityLedger({
      claims,
      persons: await this.personsBehind(transaction, idsByProject, claims),
      idsOf: (projectId, personId) => distinctIdsOf(transaction, projectId, personId),
    })
  }

  private async save(transaction: StoreTransaction, ledger: IdentityLedger): Promise<void> {
    const outcome = ledger.outcome()
    await saveClaims(transaction, outcome.claims)
    await savePersons(transaction, outcome.persons)
    await saveOverrides(transaction, outcome.overrides)
    for (const { projectId, distinctId } of outcome.claims)
      this.personByDistinctId.delete(`${projectId} ${distinctId}`)
  }

  private async personsBehind(
    transaction: StoreTransaction,
    idsByProject: ReadonlyMap<number, ReadonlySet<string>>,
    claims: readonly DistinctIdClaim[],
  ) {
    const claimed = new Map(
      claims.map(({ projectId, distinctId, personId }) => [`${projectId} ${distinctId}`, personId]),
    )
    const persons = []
    for (const [projectId, ids] of idsByProject) {
      const personIds = [...ids].map((id) => claimed.get(`${projectId} ${id}`) ?? personIdOf(projectId, id))
      persons.push(...(await personsOf(transaction, projectId, [...new Set(personIds)])))
    }
    return persons
  }

  private async applyToGroups(
    transaction: StoreTransaction,
    events: readonly PreparedEvent[],
  ): Promise<void> {
    const keys = new Map<number, Set<string>>()
    for (const event of events) {
      for (const [, key] of groupsMentioned(event))
        keys.set(event.projectId, (keys.get(event.projectId) ?? new Set()).add(key))
    }
    const known = []
    for (const [projectId, wanted] of keys)
      known.push(...(await groupsOf(transaction, projectId, [...wanted])))
    await saveGroups(transaction, changedGroups(known, events))
  }

  private async lookUp(events: readonly PreparedEvent[]): Promise<string[]> {
    this.expireCache()
    for (const [projectId, ids] of idsIn(events)) await this.loadPersons(projectId, ids)
    // an id that this batch evicted from the cache is looked up again
    return events.map(
      ({ projectId, distinctId }) =>
        this.personByDistinctId.get(`${projectId} ${distinctId}`) ?? personIdOf(projectId, distinctId),
    )
  }

  private expireCache(): void {
    const { isOnlyWriter = true } = this.dependencies
    if (isOnlyWriter || performance.now() - this.cacheStartedAt < cacheLifetimeMs) return
    this.personByDistinctId.clear()
    this.cacheStartedAt = performance.now()
  }

  private async loadPersons(projectId: number, ids: ReadonlySet<string>): Promise<void> {
    const unknown = [...ids].filter((id) => !this.personByDistinctId.has(`${projectId} ${id}`))
    const claims = await distinctIdClaims(this.dependencies.store, projectId, unknown)
    for (const id of unknown) this.personByDistinctId.set(`${projectId} ${id}`, personIdOf(projectId, id))
    for (const { distinctId, personId } of claims)
      this.personByDistinctId.set(`${projectId} ${distinctId}`, personId)
  }
}

const affectsIdentities = ({ hasPerson, identity, group, groups }: PreparedEvent): boolean =>
  hasPerson || identity !== undefined || group !== undefined || Object.keys(groups).length > 0

/** Every distinct id in a batch, by project. */
function idsIn(events: readonly PreparedEvent[]): Map<number, Set<string>> {
  const ids = new Map<number, Set<string>>()
  for (const { projectId, distinctId, identity } of events) {
    const known = ids.get(projectId) ?? new Set()
    ids.set(projectId, known.add(distinctId))
    if (identity) known.add(otherIdIn(identity))
  }
  return ids
}

function otherIdIn(identity: NonNullable<PreparedEvent['identity']>): string {
  if (identity.kind === 'identify') return identity.anonymous
  return identity.kind === 'alias' ? identity.alias : identity.other
}
