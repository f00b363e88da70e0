import type { Properties } from '../../events/event'
import type { World } from '../../world/world'
import type { DecisionRequest } from '../deciding'
import type { Needs } from './needs'
import { Recent } from './recent'

/** How what is known of somebody is found. Each may reject or take its time: then what needs it is undecided. */
export interface Lookups {
  /** Who goes by a distinct id now, and what is known of them; no properties where nobody was ever heard of. */
  person(projectId: number, distinctId: string): Promise<StoredPerson>
  /** What is known of a group; nothing where it was never heard of. */
  group(projectId: number, type: string, key: string): Promise<Properties>
  /** Who was picked for a cohort, or is in it by what they did, as ids of persons. Asked every few minutes. */
  members(projectId: number, cohort: string): Promise<ReadonlySet<string>>
  /** Under which ids they were counted before they signed in, by flag. */
  keptIds(projectId: number, distinctId: string): Promise<Readonly<Record<string, string>>>
  /** Keeps that for later, unless there is one for that flag already. */
  keepIds(projectId: number, distinctId: string, ids: Readonly<Record<string, string>>): Promise<void>
}

export interface StoredPerson {
  id: string
  properties: Properties
}

/** What was found of somebody; undefined what nobody needed, or what was not found in time. */
export interface Found {
  person?: StoredPerson | undefined
  /** By type. */
  groups?: ReadonlyMap<string, Properties>
  keptIds?: Readonly<Record<string, string>> | undefined
}

type Asker = Omit<DecisionRequest, 'asks'>

interface Ground {
  lookups: Lookups
  world: World
  fail(error: unknown): void
  /** After so long, what was not found counts as not known. */
  deadlineMs?: number
}

const usualDeadlineMs = 100

/** Looks up about visitors what flags need to know of them, each thing once, and no longer than one can wait. */
export class Finding {
  private readonly persons: Recent<StoredPerson>
  private readonly groups: Recent<Properties>
  private readonly keptIds: Recent<Readonly<Record<string, string>>>

  constructor(private readonly ground: Ground) {
    this.persons = new Recent(ground.world)
    this.groups = new Recent(ground.world)
    this.keptIds = new Recent(ground.world)
  }

  async find(projectId: number, needs: Needs, asked: DecisionRequest): Promise<Found> {
    const deadline = new Deadline(this.ground.deadlineMs ?? usualDeadlineMs)
    const inTime = <Value>(answer: Promise<Value>) => this.inTime(answer, deadline)
    const [person, groups, keptIds] = await Promise.all([
      needsPerson(needs, asked) ? inTime(this.person(projectId, asked.distinctId)) : undefined,
      Promise.all(
        groupsNeeded(needs, asked).map(async ([type, key]): Promise<[string, Properties | undefined]> => [
          type,
          await inTime(this.group(projectId, type, key)),
        ]),
      ),
      needs.keptIds.length > 0 ? inTime(this.kept(projectId, asked.distinctId)) : undefined,
    ])
    deadline.isMet()
    const found = groups.flatMap(([type, of]): [string, Properties][] => (of ? [[type, of]] : []))
    return { person, groups: new Map(found), keptIds }
  }

  /** What was found of them before; it is looked up anew for the next time, and nobody waits for that. */
  remembered(projectId: number, needs: Needs, asked: Asker): Found {
    const name = nameOf(projectId, asked.distinctId)
    const fail = (error: unknown): void => this.ground.fail(error)
    if (needsPerson(needs, asked)) void this.person(projectId, asked.distinctId).catch(fail)
    if (needs.keptIds.length > 0) void this.kept(projectId, asked.distinctId).catch(fail)
    return { person: this.persons.remembered(name), keptIds: this.keptIds.remembered(name) }
  }

  /** So that they keep what they got, they are counted as who they were before they signed in. */
  keep(
    projectId: number,
    needs: Needs,
    asked: DecisionRequest,
    kept: Readonly<Record<string, string>>,
  ): void {
    const { distinctId, anonymousId } = asked
    if (anonymousId === undefined || anonymousId === distinctId) return
    const missing = needs.keptIds.filter((key) => !Object.hasOwn(kept, key))
    if (missing.length === 0) return
    const ids = Object.fromEntries(missing.map((key) => [key, anonymousId]))
    void this.ground.lookups
      .keepIds(projectId, distinctId, ids)
      .then(() => this.keptIds.forget(nameOf(projectId, distinctId)))
      .catch((error: unknown) => this.ground.fail(error))
  }

  private async person(projectId: number, distinctId: string): Promise<StoredPerson> {
    const look = () => this.ground.lookups.person(projectId, distinctId)
    return await this.persons.ask(nameOf(projectId, distinctId), look)
  }

  private async group(projectId: number, type: string, key: string): Promise<Properties> {
    const look = () => this.ground.lookups.group(projectId, type, key)
    return await this.groups.ask(nameOf(projectId, JSON.stringify([type, key])), look)
  }

  private async kept(projectId: number, distinctId: string): Promise<Readonly<Record<string, string>>> {
    const look = () => this.ground.lookups.keptIds(projectId, distinctId)
    return await this.keptIds.ask(nameOf(projectId, distinctId), look)
  }

  private async inTime<Value>(answer: Promise<Value>, deadline: Deadline): Promise<Value | undefined> {
    try {
      return await Promise.race([answer, deadline.passed])
    } catch (error) {
      this.ground.fail(error)
      return undefined
    }
  }
}

const nameOf = (projectId: number, name: string): string => `${projectId} ${name}`

/** One for all that is looked up for somebody. */
class Deadline {
  readonly passed: Promise<undefined>
  private timer: NodeJS.Timeout | undefined

  constructor(ms: number) {
    this.passed = new Promise((resolve) => {
      this.timer = setTimeout(() => resolve(undefined), ms)
    })
  }

  isMet(): void {
    clearTimeout(this.timer)
  }
}

/** Whether flags can be decided by what was sent along. */
export const isKnownAlready = (needs: Needs, asked: DecisionRequest): boolean =>
  needs.keptIds.length === 0 && !needsPerson(needs, asked) && groupsNeeded(needs, asked).length === 0

function needsPerson({ person, cohorts }: Needs, asked: Asker): boolean {
  if (cohorts.size > 0) return true
  for (const key of person) if (key !== 'distinct_id' && !isSent(key, asked)) return true
  return false
}

const isSent = (key: string, { personProperties = {}, ofRequest = {} }: Asker): boolean =>
  Object.hasOwn(personProperties, key) || Object.hasOwn(ofRequest, key)

function groupsNeeded(needs: Needs, { groups = {} }: DecisionRequest): [type: string, key: string][] {
  return needs.groups.size === 0 ? [] : Object.entries(groups).filter(([type]) => needs.groups.has(type))
}
