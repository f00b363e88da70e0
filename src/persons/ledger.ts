import type { IdentityClaim, PreparedEvent } from '../events/event'
import { changed, folded, namesSomebody, type Person, personIdOf } from './person'
import { changesFrom } from './taken-from-events'

/** A person that turned out to be another one; answers about the past follow it. */
export interface Override {
  projectId: number
  from: string
  to: string
}

/** Which distinct id has come to stand for another person than its own. */
export interface Claim {
  projectId: number
  distinctId: string
  personId: string
}

/** What is known of the people in a batch before it. */
export interface Known {
  claims: readonly Claim[]
  persons: readonly Person[]
  /** Every id standing for one of these persons, asked for when it is merged away. */
  idsOf: (projectId: number, personId: string) => Promise<readonly string[]>
}

/**
 * Who is who while one batch is read, in journal order. It asks and writes nothing itself: it is given what was known,
 * and is asked afterwards what came out of it.
 */
export class Ledger {
  private readonly claimed = new Map<string, string>()
  private readonly persons = new Map<string, Person>()
  private readonly touchedClaims = new Map<string, Claim>()
  private readonly touchedPersons = new Set<string>()
  private readonly overridden = new Map<string, Override>()

  constructor(private readonly known: Known) {
    for (const { projectId, distinctId, personId } of known.claims)
      this.claimed.set(key(projectId, distinctId), personId)
    for (const person of known.persons) this.persons.set(key(person.projectId, person.id), person)
  }

  async read(event: PreparedEvent): Promise<void> {
    if (event.identity) await this.heed(event.identity, event)
    if (event.hasPerson) this.learn(event)
  }

  personOf(projectId: number, distinctId: string): string {
    return this.claimed.get(key(projectId, distinctId)) ?? personIdOf(projectId, distinctId)
  }

  /** What to write down. */
  outcome(): { claims: Claim[]; persons: Person[]; overrides: Override[] } {
    const persons = [...this.touchedPersons].flatMap((id) => this.persons.get(id) ?? [])
    return { claims: [...this.touchedClaims.values()], persons, overrides: [...this.overridden.values()] }
  }

  private learn(event: PreparedEvent): void {
    const person = this.personBehind(event)
    const properties = changed(person.properties, changesFrom(event))
    const createdAt = event.at < person.createdAt ? event.at : person.createdAt
    if (properties === person.properties && createdAt === person.createdAt) return
    this.keep({ ...person, properties, createdAt })
  }

  /** Made on first sight: a person is there as soon as one event says so. */
  private personBehind({ projectId, distinctId, at }: PreparedEvent): Person {
    const id = this.personOf(projectId, distinctId)
    const existing = this.persons.get(key(projectId, id))
    return existing ?? this.keep({ projectId, id, properties: {}, isIdentified: false, createdAt: at })
  }

  private keep(person: Person): Person {
    const name = key(person.projectId, person.id)
    this.persons.set(name, person)
    this.touchedPersons.add(name)
    return person
  }

  private async heed(claim: IdentityClaim, event: PreparedEvent): Promise<void> {
    const other = otherId(claim)
    if (other === event.distinctId || !namesSomebody(other) || !namesSomebody(event.distinctId)) return
    const isRefused = claim.kind !== 'merge' && this.isIdentified(event.projectId, other)
    if (!isRefused) await this.merge(event, other)
    if (claim.kind === 'identify') this.keep({ ...this.personBehind(event), isIdentified: true })
  }

  private isIdentified(projectId: number, distinctId: string): boolean {
    return this.persons.get(key(projectId, this.personOf(projectId, distinctId)))?.isIdentified ?? false
  }

  /** `other` becomes one more id of the event's person. */
  private async merge(event: PreparedEvent, other: string): Promise<void> {
    const { projectId } = event
    const from = this.personOf(projectId, other)
    const survivor = this.personBehind(event)
    if (from === survivor.id) return
    // whoever takes others in has a row of its own first, or it could not be found from them later
    this.claim({ projectId, distinctId: event.distinctId, personId: survivor.id })
    const gone = this.persons.get(key(projectId, from))
    const ids = new Set([other, ...(await this.idsStandingFor(projectId, from))])
    for (const distinctId of ids) this.claim({ projectId, distinctId, personId: survivor.id })
    // rows may have been written under the person's own number, or under that of any id it had taken in before
    const numbers = new Set([from, ...[...ids].map((distinctId) => personIdOf(projectId, distinctId))])
    numbers.delete(survivor.id)
    for (const number of numbers)
      this.overridden.set(key(projectId, number), { projectId, from: number, to: survivor.id })
    // an id folded away earlier in this very batch follows along
    for (const [name, { to, ...rest }] of this.overridden)
      if (to === from) this.overridden.set(name, { ...rest, to: survivor.id })
    this.persons.delete(key(projectId, from))
    this.touchedPersons.delete(key(projectId, from))
    if (gone) this.keep(folded(survivor, gone))
  }

  private async idsStandingFor(projectId: number, personId: string): Promise<string[]> {
    const before = await this.known.idsOf(projectId, personId)
    const now = [...this.touchedClaims.values()].filter(
      (claim) => claim.personId === personId && claim.projectId === projectId,
    )
    return [...before, ...now.map(({ distinctId }) => distinctId)].filter(
      (distinctId) =>
        this.personOf(projectId, distinctId) === personId || !this.claimed.has(key(projectId, distinctId)),
    )
  }

  private claim(claim: Claim): void {
    this.claimed.set(key(claim.projectId, claim.distinctId), claim.personId)
    this.touchedClaims.set(key(claim.projectId, claim.distinctId), claim)
  }
}

const key = (projectId: number, id: string): string => `${projectId} ${id}`

function otherId(claim: IdentityClaim): string {
  if (claim.kind === 'identify') return claim.anonymous
  return claim.kind === 'alias' ? claim.alias : claim.other
}
