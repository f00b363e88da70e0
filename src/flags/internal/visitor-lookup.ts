import type { Properties } from '#events/event'
import type { World } from '#world/world'
import type { DecisionRequest } from '../flag-decider'
import type { LookupNeeds } from './lookup-needs'
import { CoalescingCache } from './coalescing-cache'

/**
 * Reads what is stored about a visitor. If a method rejects or is late, conditions that need its result are
 * undecided.
 */
export interface VisitorDataSource {
  /** The person behind a distinct id, with their properties; without properties for an unknown id. */
  person(projectId: number, distinctId: string): Promise<StoredPerson>
  /** The properties of a group; empty if it is unknown. */
  group(projectId: number, type: string, key: string): Promise<Properties>
  /** Ids of the persons in a cohort, hand-picked or found by their events. Called every few minutes. */
  members(projectId: number, cohort: string): Promise<ReadonlySet<string>>
  /** The ids by which flags bucketed the person before sign-in, by flag key. */
  keptIds(projectId: number, distinctId: string): Promise<Readonly<Record<string, string>>>
  /** Stores those ids, unless one is stored for the flag already. */
  keepIds(projectId: number, distinctId: string, ids: Readonly<Record<string, string>>): Promise<void>
}

interface StoredPerson {
  id: string
  properties: Properties
}

/** Results of a look-up. A part is undefined if no flag needs it or it did not arrive in time. */
export interface VisitorLookupResult {
  person?: StoredPerson | undefined
  /** Group properties by type. */
  groups?: ReadonlyMap<string, Properties>
  keptIds?: Readonly<Record<string, string>> | undefined
}

type LookupRequest = Omit<DecisionRequest, 'asks'>

interface VisitorLookupDependencies {
  lookups: VisitorDataSource
  world: World
  fail(error: unknown): void
  /** The deadline of a look-up; its result counts as unknown afterwards. */
  deadlineMs?: number
}

/** As long as a visitor waits who was never looked up: on a busy machine a tenth of it is often too short. */
const usualDeadlineMs = 1000
/** The share of the deadline after which the previous result counts. */
const shareForPrevious = 0.1

/** Looks up what flags need to know about visitors, each thing once, with a deadline. */
export class VisitorLookup {
  private readonly persons: CoalescingCache<StoredPerson>
  private readonly groups: CoalescingCache<Properties>
  private readonly keptIds: CoalescingCache<Readonly<Record<string, string>>>

  constructor(private readonly dependencies: VisitorLookupDependencies) {
    this.persons = new CoalescingCache(dependencies.world)
    this.groups = new CoalescingCache(dependencies.world)
    this.keptIds = new CoalescingCache(dependencies.world)
  }

  async find(projectId: number, needs: LookupNeeds, request: DecisionRequest): Promise<VisitorLookupResult> {
    const deadline = new LookupDeadline(this.dependencies.deadlineMs ?? usualDeadlineMs)
    const { distinctId } = request
    const [person, groups, keptIds] = await Promise.all([
      needsPerson(needs, request)
        ? this.inTime(this.person(projectId, distinctId), deadline, () =>
            this.persons.remembered(nameOf(projectId, distinctId)),
          )
        : undefined,
      Promise.all(
        groupsNeeded(needs, request).map(async ([type, key]): Promise<[string, Properties | undefined]> => [
          type,
          await this.inTime(this.group(projectId, type, key), deadline, () =>
            this.groups.remembered(groupName(projectId, type, key)),
          ),
        ]),
      ),
      // one that is not known is about to be stored, so an old result may not stand for it
      needs.keptIds.length > 0 ? this.inTime(this.keptIdsOf(projectId, distinctId), deadline) : undefined,
    ])
    deadline.isMet()
    const found = groups.flatMap(([type, of]): [string, Properties][] => (of ? [[type, of]] : []))
    return { person, groups: new Map(found), keptIds }
  }

  /** Returns the previous result at once and starts a look-up for the next call in the background. */
  remembered(projectId: number, needs: LookupNeeds, request: LookupRequest): VisitorLookupResult {
    const name = nameOf(projectId, request.distinctId)
    const fail = (error: unknown): void => this.dependencies.fail(error)
    if (needsPerson(needs, request)) void this.person(projectId, request.distinctId).catch(fail)
    if (needs.keptIds.length > 0) void this.keptIdsOf(projectId, request.distinctId).catch(fail)
    return { person: this.persons.remembered(name), keptIds: this.keptIds.remembered(name) }
  }

  /** Stores the id from before sign-in, by which the person keeps their decisions. */
  keep(
    projectId: number,
    needs: LookupNeeds,
    request: DecisionRequest,
    kept: Readonly<Record<string, string>>,
  ): void {
    const { distinctId, anonymousId } = request
    if (anonymousId === undefined || anonymousId === distinctId) return
    const missing = needs.keptIds.filter((key) => !Object.hasOwn(kept, key))
    if (missing.length === 0) return
    const ids = Object.fromEntries(missing.map((key) => [key, anonymousId]))
    void this.dependencies.lookups
      .keepIds(projectId, distinctId, ids)
      .then(() => this.keptIds.forget(nameOf(projectId, distinctId)))
      .catch((error: unknown) => this.dependencies.fail(error))
  }

  private async person(projectId: number, distinctId: string): Promise<StoredPerson> {
    const find = () => this.dependencies.lookups.person(projectId, distinctId)
    return await this.persons.ask(nameOf(projectId, distinctId), find)
  }

  private async group(projectId: number, type: string, key: string): Promise<Properties> {
    const find = () => this.dependencies.lookups.group(projectId, type, key)
    return await this.groups.ask(groupName(projectId, type, key), find)
  }

  private async keptIdsOf(projectId: number, distinctId: string): Promise<Readonly<Record<string, string>>> {
    const look = () => this.dependencies.lookups.keptIds(projectId, distinctId)
    return await this.keptIds.ask(nameOf(projectId, distinctId), look)
  }

  /** The answer, or the previous one if it is late or cannot be had. */
  private async inTime<Value>(
    answer: Promise<Value>,
    deadline: LookupDeadline,
    previous: () => Value | undefined = () => undefined,
  ): Promise<Value | undefined> {
    try {
      return await Promise.race([answer, deadline.isNear.then(() => previous() ?? deadline.passed)])
    } catch (error) {
      this.dependencies.fail(error)
      return previous()
    }
  }
}

const nameOf = (projectId: number, name: string): string => `${projectId} ${name}`

const groupName = (projectId: number, type: string, key: string): string =>
  nameOf(projectId, JSON.stringify([type, key]))

/** All look-ups of a request share one deadline. */
class LookupDeadline {
  /** The previous result counts from here on. */
  readonly isNear: Promise<undefined>
  readonly passed: Promise<undefined>
  private readonly timers: NodeJS.Timeout[] = []

  constructor(ms: number) {
    this.isNear = this.after(ms * shareForPrevious)
    this.passed = this.after(ms)
  }

  isMet(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }

  private async after(ms: number): Promise<undefined> {
    return await new Promise((resolve) => {
      this.timers.push(setTimeout(() => resolve(undefined), ms))
    })
  }
}

/** Whether the request itself contains everything that the flags need. */
export const isKnownAlready = (needs: LookupNeeds, request: DecisionRequest): boolean =>
  needs.keptIds.length === 0 && !needsPerson(needs, request) && groupsNeeded(needs, request).length === 0

function needsPerson({ person, cohorts }: LookupNeeds, request: LookupRequest): boolean {
  if (cohorts.size > 0) return true
  for (const key of person) if (key !== 'distinct_id' && !isSent(key, request)) return true
  return false
}

const isSent = (key: string, { personProperties = {}, ofRequest = {} }: LookupRequest): boolean =>
  Object.hasOwn(personProperties, key) || Object.hasOwn(ofRequest, key)

function groupsNeeded(needs: LookupNeeds, { groups = {} }: DecisionRequest): [type: string, key: string][] {
  return needs.groups.size === 0 ? [] : Object.entries(groups).filter(([type]) => needs.groups.has(type))
}
