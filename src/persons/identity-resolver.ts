import { LRUCache } from 'lru-cache'
import type { Engine } from '#engine/engine'
import type { PreparedEvent } from '#events/event'
import type { PersonsTransaction, Store, TableSource } from '#store/store'
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
  forgetOpenJournal,
  journalProgress,
  noteOpenJournal,
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

  /** Says in a store that several fronts may share that this one accepts events. */
  async noteJournal(): Promise<void> {
    const { store, journal } = this.dependencies
    if (store.form === 'postgres') await noteOpenJournal(store, journal)
  }

  /** Says that every event of this front is stored. */
  async forgetJournal(): Promise<void> {
    const { store, journal } = this.dependencies
    if (store.form === 'postgres') await forgetOpenJournal(store, journal)
  }

  async resolve(events: readonly PreparedEvent[], upTo: number): Promise<readonly string[]> {
    const affecting = events.filter(affectsIdentities)
    if (affecting.length > 0) await this.apply(affecting, upTo)
    return await this.lookUp(events)
  }

  /** Restores persons and groups of an export, for which there is no event. */
  async restore(
    { persons, groups }: { persons: readonly ExportedPerson[]; groups: readonly ExportedGroup[] },
    origin: ProfileOrigin,
  ): Promise<void> {
    const { projectId } = origin
    const ids = new Map([[projectId, new Set(persons.flatMap(({ distinctIds }) => distinctIds))]])
    const groupKeys = groups.map(({ type, key }) => groupKeyOf(projectId, type, key))
    await this.whileLocked(ids, groupKeys, async (transaction, claims) => {
      const ledger = await this.ledgerOf(transaction, ids, claims)
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

  private async apply(events: readonly PreparedEvent[], upTo: number): Promise<void> {
    const { journal } = this.dependencies
    const ids = idsIn(events)
    const others = [`journal ${journal}`, ...groupKeysIn(events)]
    await this.whileLocked(ids, others, async (transaction, claims) => {
      if (upTo <= (await journalProgress(transaction, journal))) return
      const ledger = await this.ledgerOf(transaction, ids, claims)
      for (const event of events) {
        await yieldIfLong()
        await ledger.read(event)
      }
      await this.save(transaction, ledger)
      await this.applyToGroups(transaction, events)
      await saveJournalProgress(transaction, journal, upTo)
    })
  }

  /**
   * Runs the work while no other writer changes the person of one of these ids. A merge changes further ids of a person,
   * so the lock is that of each id's own person and of the one that it stands for. The latter is known for certain only
   * once it is locked, so another attempt follows a merge by another front in between.
   */
  private async whileLocked(
    ids: IdsByProject,
    others: readonly string[],
    work: (transaction: PersonsTransaction, claims: readonly DistinctIdClaim[]) => Promise<void>,
  ): Promise<void> {
    const { store } = this.dependencies
    const claimsIn = (source: TableSource) => claimsOf(source, ids)
    if (store.form === 'sqlite')
      return await store.transaction(
        async (transaction) => work(transaction, await claimsIn(transaction)),
        'every person',
      )
    const keys = new Set([...others, ...(await this.supposedPersons(ids))])
    for (;;) {
      const missing = await store.transaction(
        async (transaction) => {
          const claims = await claimsIn(transaction)
          const unlocked = claims.map(personKeyOf).filter((key) => !keys.has(key))
          if (unlocked.length === 0) await work(transaction, claims)
          return unlocked
        },
        { persons: [...keys] },
      )
      if (missing.length === 0) return
      for (const key of missing) keys.add(key)
      this.clearCache()
    }
  }

  /** Returns the keys of all persons that these ids stand for by themselves, and by what is cached. */
  private async supposedPersons(ids: IdsByProject): Promise<string[]> {
    const keys: string[] = []
    this.expireCache()
    for (const [projectId, distinctIds] of ids) {
      await this.loadPersons(projectId, distinctIds)
      for (const distinctId of distinctIds) {
        const personId = personIdOf(projectId, distinctId)
        keys.push(personKeyOf({ projectId, personId }))
        const cached = this.personByDistinctId.get(`${projectId} ${distinctId}`) ?? personId
        if (cached !== personId) keys.push(personKeyOf({ projectId, personId: cached }))
      }
    }
    return keys
  }

  private async ledgerOf(
    transaction: PersonsTransaction,
    idsByProject: IdsByProject,
    claims: readonly DistinctIdClaim[],
  ): Promise<IdentityLedger> {
    return new IdentityLedger({
      claims,
      persons: await this.personsBehind(transaction, idsByProject, claims),
      idsOf: (projectId, personId) => distinctIdsOf(transaction, projectId, personId),
    })
  }

  private async save(transaction: PersonsTransaction, ledger: IdentityLedger): Promise<void> {
    const outcome = ledger.outcome()
    await saveClaims(transaction, outcome.claims)
    await savePersons(transaction, outcome.persons)
    await saveOverrides(transaction, outcome.overrides)
    for (const { projectId, distinctId } of outcome.claims)
      this.personByDistinctId.delete(`${projectId} ${distinctId}`)
  }

  private async personsBehind(
    transaction: PersonsTransaction,
    idsByProject: IdsByProject,
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
    transaction: PersonsTransaction,
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

type IdsByProject = ReadonlyMap<number, ReadonlySet<string>>

async function claimsOf(source: TableSource, ids: IdsByProject): Promise<DistinctIdClaim[]> {
  const claims: DistinctIdClaim[] = []
  for (const [projectId, distinctIds] of ids)
    claims.push(...(await distinctIdClaims(source, projectId, [...distinctIds])))
  return claims
}

const personKeyOf = ({ projectId, personId }: Omit<DistinctIdClaim, 'distinctId'>): string =>
  `${projectId} ${personId}`

const groupKeyOf = (projectId: number, type: string, key: string): string => `${projectId} ${type} ${key}`

const groupKeysIn = (events: readonly PreparedEvent[]): string[] =>
  events.flatMap((event) =>
    [...groupsMentioned(event)].map(([type, key]) => groupKeyOf(event.projectId, type, key)),
  )

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
