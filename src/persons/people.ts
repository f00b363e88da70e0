import { LRUCache } from 'lru-cache'
import type { Engine } from '../engine/engine'
import type { PreparedEvent } from '../events/event'
import type { Store, StoreTransaction } from '../store/store'
import { changedGroups, mentioned } from './groups'
import { type Claim, Ledger } from './ledger'
import { mirror } from './mirror'
import { personIdOf } from './person'
import {
  claimsOf,
  groupsOf,
  idsOf,
  personsOf,
  progressOf,
  saveClaims,
  saveGroups,
  saveOverrides,
  savePersons,
  saveProgress,
} from './store'

export interface PeopleGround {
  store: Store
  engine: Engine
  journal: string
  /** Others may merge persons as well, and do not tell us. */
  isAlone?: boolean
}

const rememberedIds = 200_000
/** Whom others have merged is known to us after this time: well before what corrects our events is forgotten. */
const rememberedForMs = 60_000

/**
 * Finds the person behind every event, and lets events change who is who. Called once a batch, in journal order; what a
 * batch changes and how far the journal has been read are written down together, so that a batch read twice after a
 * crash changes nothing twice.
 */
export class People {
  /** A distinct id's person, also where it is its own: most ids come back within minutes. */
  private readonly remembered = new LRUCache<string, string>({ max: rememberedIds })
  private rememberedSince = performance.now()

  constructor(private readonly ground: PeopleGround) {}

  /** How far the journal has been read for what it says of people; 0 before the first time. */
  async readUpTo(): Promise<number> {
    return await progressOf(this.ground.store, this.ground.journal)
  }

  async resolve(events: readonly PreparedEvent[], upTo: number): Promise<readonly string[]> {
    if (!events.some(saysWhoIsWho)) return await this.lookedUp(events)
    await this.ground.store.transaction(async (transaction) => {
      if (upTo <= (await progressOf(transaction, this.ground.journal))) return
      await this.apply(transaction, events)
      await saveProgress(transaction, this.ground.journal, upTo)
    })
    return await this.lookedUp(events)
  }

  /** Tells the engine what has changed since it was last told; called again, it goes on where it stopped. */
  async mirror(): Promise<void> {
    await mirror(this.ground.store, this.ground.engine)
  }

  /** Looks everybody up anew: some are not who they were. */
  forget(): void {
    this.remembered.clear()
  }

  private async apply(transaction: StoreTransaction, events: readonly PreparedEvent[]): Promise<void> {
    const claims: Claim[] = []
    for (const [projectId, ids] of idsIn(events))
      claims.push(...(await claimsOf(transaction, projectId, [...ids])))
    const ledger = new Ledger({
      claims,
      persons: await this.personsBehind(transaction, events, claims),
      idsOf: (projectId, personId) => idsOf(transaction, projectId, personId),
    })
    for (const event of events) await ledger.read(event)
    const outcome = ledger.outcome()
    await saveClaims(transaction, outcome.claims)
    await savePersons(transaction, outcome.persons)
    await saveOverrides(transaction, outcome.overrides)
    await this.applyToGroups(transaction, events)
    for (const { projectId, distinctId } of outcome.claims)
      this.remembered.delete(`${projectId} ${distinctId}`)
  }

  private async personsBehind(
    transaction: StoreTransaction,
    events: readonly PreparedEvent[],
    claims: readonly Claim[],
  ) {
    const claimed = new Map(
      claims.map(({ projectId, distinctId, personId }) => [`${projectId} ${distinctId}`, personId]),
    )
    const persons = []
    for (const [projectId, ids] of idsIn(events)) {
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
      for (const [, key] of mentioned(event))
        keys.set(event.projectId, (keys.get(event.projectId) ?? new Set()).add(key))
    }
    const known = []
    for (const [projectId, wanted] of keys)
      known.push(...(await groupsOf(transaction, projectId, [...wanted])))
    await saveGroups(transaction, changedGroups(known, events))
  }

  private async lookedUp(events: readonly PreparedEvent[]): Promise<string[]> {
    this.forgetWhatMayBeOld()
    for (const [projectId, ids] of idsIn(events)) await this.remember(projectId, ids)
    // an id pushed out of memory by this very batch is found the long way round
    return events.map(
      ({ projectId, distinctId }) =>
        this.remembered.get(`${projectId} ${distinctId}`) ?? personIdOf(projectId, distinctId),
    )
  }

  private forgetWhatMayBeOld(): void {
    const { isAlone = true } = this.ground
    if (isAlone || performance.now() - this.rememberedSince < rememberedForMs) return
    this.remembered.clear()
    this.rememberedSince = performance.now()
  }

  private async remember(projectId: number, ids: ReadonlySet<string>): Promise<void> {
    const unknown = [...ids].filter((id) => !this.remembered.has(`${projectId} ${id}`))
    const claims = await claimsOf(this.ground.store, projectId, unknown)
    for (const id of unknown) this.remembered.set(`${projectId} ${id}`, personIdOf(projectId, id))
    for (const { distinctId, personId } of claims) this.remembered.set(`${projectId} ${distinctId}`, personId)
  }
}

const saysWhoIsWho = ({ hasPerson, identity, group, groups }: PreparedEvent): boolean =>
  hasPerson || identity !== undefined || group !== undefined || Object.keys(groups).length > 0

/** Every distinct id a batch speaks of, per project. */
function idsIn(events: readonly PreparedEvent[]): Map<number, Set<string>> {
  const ids = new Map<number, Set<string>>()
  for (const { projectId, distinctId, identity } of events) {
    const known = ids.get(projectId) ?? new Set()
    ids.set(projectId, known.add(distinctId))
    if (identity) known.add(otherIn(identity))
  }
  return ids
}

function otherIn(identity: NonNullable<PreparedEvent['identity']>): string {
  if (identity.kind === 'identify') return identity.anonymous
  return identity.kind === 'alias' ? identity.alias : identity.other
}
