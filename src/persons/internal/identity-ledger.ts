import type { IdentityClaim, PreparedEvent } from '#events/event'
import { applyEvent, applyProfile } from '../apply-event'
import { mergePersons, isMeaningfulId, nameIdOf, type Person, personIdOf } from '../person'
import type { ExportedPerson, ProfileOrigin } from '../profile'

/** A person who was merged into another one. Queries apply it to past events. */
export interface PersonOverride {
  projectId: number
  from: string
  to: string
}

/** A distinct id that stands for another person than its own. */
export interface DistinctIdClaim {
  projectId: number
  distinctId: string
  personId: string
}

/** The identities of the persons in a batch, before the batch. */
interface KnownIdentities {
  claims: readonly DistinctIdClaim[]
  persons: readonly Person[]
  /** Returns every id of a person, which is needed when the person is merged. */
  idsOf: (projectId: number, personId: string) => Promise<readonly string[]>
}

/** A distinct id, and the time at which it was named. */
type Mention = Pick<PreparedEvent, 'projectId' | 'distinctId' | 'at'>

/**
 * Tracks identities while one batch is read, in journal order. It reads and writes no store itself: it gets the known
 * identities, and returns the changes afterwards.
 */
export class IdentityLedger {
  private readonly claimed = new Map<string, string>()
  private readonly persons = new Map<string, Person>()
  private readonly touchedClaims = new Map<string, DistinctIdClaim>()
  private readonly touchedPersons = new Set<string>()
  private readonly overridden = new Map<string, PersonOverride>()

  constructor(private readonly knownIdentities: KnownIdentities) {
    for (const { projectId, distinctId, personId } of knownIdentities.claims)
      this.claimed.set(identityKey(projectId, distinctId), personId)
    for (const person of knownIdentities.persons)
      this.persons.set(identityKey(person.projectId, person.id), person)
  }

  async read(event: PreparedEvent): Promise<void> {
    if (event.identity) await this.applyIdentityClaim(event.identity, event)
    if (event.hasPerson) this.applyPersonChanges(event)
  }

  /** Restores a person of an export, whose ids become one person here too. */
  async restore(profile: ExportedPerson, { projectId, importId }: ProfileOrigin): Promise<void> {
    const [distinctId = '', ...others] = profile.distinctIds
    const mention = { projectId, distinctId, at: profile.createdAt }
    for (const other of others)
      if (other !== distinctId && isMeaningfulId(other) && isMeaningfulId(distinctId))
        await this.merge(mention, other, 'merge')
    const person = this.personBehind(mention)
    const after = applyProfile(person, profile, importId)
    if (after !== person) this.keep(after)
  }

  personOf(projectId: number, distinctId: string): string {
    return this.claimed.get(identityKey(projectId, distinctId)) ?? personIdOf(projectId, distinctId)
  }

  /** Returns the changes to store. */
  outcome(): { claims: DistinctIdClaim[]; persons: Person[]; overrides: PersonOverride[] } {
    const persons = [...this.touchedPersons].flatMap((id) => this.persons.get(id) ?? [])
    return { claims: [...this.touchedClaims.values()], persons, overrides: [...this.overridden.values()] }
  }

  private applyPersonChanges(event: PreparedEvent): void {
    const person = this.personBehind(event)
    const after = applyEvent(person, event)
    if (after !== person) this.keep(after)
  }

  /** Creates the person on first use: a single event is enough. */
  private personBehind({ projectId, distinctId, at }: Mention): Person {
    const id = this.personOf(projectId, distinctId)
    const existing = this.persons.get(identityKey(projectId, id))
    return existing ?? this.keep({ projectId, id, properties: {}, isIdentified: false, createdAt: at })
  }

  private keep(person: Person): Person {
    const name = identityKey(person.projectId, person.id)
    this.persons.set(name, person)
    this.touchedPersons.add(name)
    return person
  }

  private async applyIdentityClaim(claim: IdentityClaim, event: PreparedEvent): Promise<void> {
    const other = otherId(claim)
    if (other === event.distinctId || !isMeaningfulId(other) || !isMeaningfulId(event.distinctId)) return
    const isRefused = claim.kind !== 'merge' && this.isIdentified(event.projectId, other)
    if (!isRefused) await this.merge(event, other, claim.kind)
    if (claim.kind !== 'identify') return
    const person = this.personBehind(event)
    // some vendors' clients repeat the claim in every event
    if (!person.isIdentified) this.keep({ ...person, isIdentified: true })
  }

  private isIdentified(projectId: number, distinctId: string): boolean {
    return (
      this.persons.get(identityKey(projectId, this.personOf(projectId, distinctId)))?.isIdentified ?? false
    )
  }

  /** Makes `other` one more id of the event's person. */
  private async merge(event: Mention, other: string, kind: IdentityClaim['kind']): Promise<void> {
    const { projectId } = event
    const from = this.personOf(projectId, other)
    const survivor = this.personBehind(event)
    if (from === survivor.id) return
    // the surviving person gets a row first, so that it can be found from the merged ones later
    this.claim({ projectId, distinctId: event.distinctId, personId: survivor.id })
    const absorbed = this.persons.get(identityKey(projectId, from))
    const ids = new Set([other, ...(await this.idsStandingFor(projectId, from))])
    for (const distinctId of ids) this.claim({ projectId, distinctId, personId: survivor.id })
    // rows may exist under the person's own id, or under that of any person it had absorbed before
    const numbers = new Set([from, ...[...ids].map((distinctId) => personIdOf(projectId, distinctId))])
    numbers.delete(survivor.id)
    for (const number of numbers)
      this.overridden.set(identityKey(projectId, number), { projectId, from: number, to: survivor.id })
    // ids that were merged earlier in this batch follow
    for (const [name, { to, ...rest }] of this.overridden)
      if (to === from) this.overridden.set(name, { ...rest, to: survivor.id })
    this.persons.delete(identityKey(projectId, from))
    this.touchedPersons.delete(identityKey(projectId, from))
    const named = { ...survivor, nameId: survivingNameId(survivor, absorbed ?? { id: from }, kind) }
    this.keep(absorbed ? mergePersons(named, absorbed) : named)
  }

  private async idsStandingFor(projectId: number, personId: string): Promise<string[]> {
    const before = await this.knownIdentities.idsOf(projectId, personId)
    const now = [...this.touchedClaims.values()].filter(
      (claim) => claim.personId === personId && claim.projectId === projectId,
    )
    return [...before, ...now.map(({ distinctId }) => distinctId)].filter(
      (distinctId) =>
        this.personOf(projectId, distinctId) === personId ||
        !this.claimed.has(identityKey(projectId, distinctId)),
    )
  }

  private claim(claim: DistinctIdClaim): void {
    this.claimed.set(identityKey(claim.projectId, claim.distinctId), claim.personId)
    this.touchedClaims.set(identityKey(claim.projectId, claim.distinctId), claim)
  }
}

/**
 * Decides which name a merged person has, so that the team goes on seeing the one that it knows (decision 0072): an identified
 * person keeps theirs, and one who is identified for the first time keeps that of the visitor they were until then.
 */
function survivingNameId(
  survivor: Person,
  absorbed: Pick<Person, 'id' | 'nameId'> & Partial<Person>,
  kind: IdentityClaim['kind'],
): string {
  if (survivor.isIdentified) return nameIdOf(survivor)
  return absorbed.isIdentified || kind === 'identify' ? nameIdOf(absorbed) : nameIdOf(survivor)
}

const identityKey = (projectId: number, id: string): string => `${projectId} ${id}`

function otherId(claim: IdentityClaim): string {
  if (claim.kind === 'identify') return claim.anonymous
  return claim.kind === 'alias' ? claim.alias : claim.other
}
