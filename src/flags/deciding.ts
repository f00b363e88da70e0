import type { Json, Properties } from '../events/event'
import { personIdOf } from '../persons/person'
import type { World } from '../world/world'
import type { CompiledFlags } from './compile'
import { decideAll } from './decide'
import type { Asked, Decision, Known } from './decision'
import type { Definitions } from './definitions'
import { explain, type Explanation } from './explain'
import { Finding, type Found, isKnownAlready, type Lookups } from './deciding/finding'
import { Memberships } from './deciding/memberships'

export type { Lookups } from './deciding/finding'

/** What somebody asks who wants decisions, as it was read from a request. */
export interface DecisionRequest {
  distinctId: string
  deviceId?: string | undefined
  /** Who they were before they signed in: `$anon_distinct_id`. */
  anonymousId?: string | undefined
  /** Their groups' keys, by type. */
  groups?: Readonly<Record<string, string>> | undefined
  /** As sent along; they count before what is stored. */
  personProperties?: Properties | undefined
  /** The same of groups, by type. */
  groupProperties?: Readonly<Record<string, Properties>> | undefined
  /** What the request itself tells: $geoip_country_code, $browser, $os, $device_type … They count before what is stored. */
  ofRequest?: Properties | undefined
  flagKeys?: readonly string[] | undefined
  contexts?: readonly string[] | undefined
  asks: 'browser' | 'server'
  now: Date
}

/** What a page of ours wants to know of whom it is rendered for. */
export interface PageRequest extends Omit<DecisionRequest, 'asks'> {
  asks: 'page'
  /** Nothing can have been stored of them: they are nobody, or have just come. */
  isNobody: boolean
}

export interface Decisions {
  decisions: Decision[]
  /** False where one of them could not be decided for want of an answer. */
  isComplete: boolean
}

export interface DecidingGround {
  definitions: Definitions
  lookups: Lookups
  world: World
  /** Hears what went wrong where nobody waits for an answer. */
  fail(error: unknown): void
  /** After so long, what was not found counts as not known. */
  deadlineMs?: number
}

/** Decides for those who ask, and finds out about them what the flags need to know. */
export class Deciding {
  private readonly memberships: Memberships
  private readonly finding: Finding

  constructor(private readonly ground: DecidingGround) {
    const { definitions, lookups } = ground
    this.finding = new Finding(ground)
    this.memberships = new Memberships({
      definitions,
      members: (projectId, cohort) => lookups.members(projectId, cohort),
      fail: (error) => ground.fail(error),
    })
  }

  /** At once where nothing has to be looked up. */
  decide(projectId: number, environment: string, asked: DecisionRequest): Decisions | Promise<Decisions> {
    const compiled = this.ground.definitions.compiled(projectId, environment)
    return isKnownAlready(compiled.needs, asked)
      ? this.decisions(projectId, compiled, asked, {})
      : this.decideLater(projectId, compiled, asked)
  }

  /**
   * By what is sent along and what is in memory: nobody may keep a page waiting. Whoever is not in memory is looked up
   * meanwhile, for the page after it; what needs to be known of them is undecided until then.
   */
  decideNow(projectId: number, environment: string, asked: PageRequest): Decision[] {
    const compiled = this.ground.definitions.compiled(projectId, environment)
    const found = asked.isNobody
      ? { person: { id: personIdOf(projectId, asked.distinctId), properties: none }, keptIds: none }
      : this.finding.remembered(projectId, compiled.needs, asked)
    return decideAll(compiled, this.asked(projectId, compiled, asked, found), asked)
  }

  private async decideLater(
    projectId: number,
    compiled: CompiledFlags,
    asked: DecisionRequest,
  ): Promise<Decisions> {
    const found = await this.finding.find(projectId, compiled.needs, asked)
    if (found.keptIds) this.finding.keep(projectId, compiled.needs, asked, found.keptIds)
    return this.decisions(projectId, compiled, asked, found)
  }

  private decisions(
    projectId: number,
    compiled: CompiledFlags,
    asked: DecisionRequest,
    found: Found,
  ): Decisions {
    const decisions = decideAll(compiled, this.asked(projectId, compiled, asked, found), asked)
    return { decisions, isComplete: decisions.every(({ reason }) => reason.code !== 'undecided') }
  }

  /** Why this visitor gets what they get; undefined where there is no such flag. It changes nothing. */
  async explain(
    projectId: number,
    environment: string,
    key: string,
    asked: DecisionRequest,
  ): Promise<Explanation | undefined> {
    const compiled = this.ground.definitions.compiled(projectId, environment)
    const found = await this.finding.find(projectId, compiled.needs, asked)
    return explain(compiled, key, this.asked(projectId, compiled, asked, found))
  }

  /** Reads anew who is in the cohorts that flags name: a job of every few minutes. */
  async refreshCohorts(): Promise<void> {
    await this.memberships.refresh()
  }

  private asked(
    projectId: number,
    { needs }: CompiledFlags,
    request: Omit<DecisionRequest, 'asks'>,
    { person, groups, keptIds }: Found,
  ): Asked {
    const { distinctId, anonymousId, personProperties, ofRequest, now } = request
    return {
      distinctId,
      deviceId: deviceIdOf(request),
      anonymousId,
      groups: request.groups ?? none,
      person: {
        properties: merged(needs.person, [
          personProperties,
          ofRequest,
          { distinct_id: distinctId },
          person?.properties,
        ]),
        isAll: person !== undefined,
      },
      groupProperties: needs.groups.size === 0 ? none : groupsOf(request, groups),
      isIn: (cohort) => (person ? this.memberships.isIn(projectId, cohort, person.id) : 'unknown'),
      keptIds,
      now,
    }
  }
}

const none: Readonly<Record<string, never>> = {}

/** The first that has a property counts. */
function merged(keys: ReadonlySet<string>, sources: readonly (Properties | undefined)[]): Properties {
  if (keys.size === 0) return none
  const found: [string, Json][] = []
  for (const key of keys) {
    const source = sources.find((one) => one && Object.hasOwn(one, key))
    const value = source?.[key]
    if (value !== undefined) found.push([key, value])
  }
  return Object.fromEntries(found)
}

function groupsOf(
  { groups = {}, groupProperties = {} }: Pick<DecisionRequest, 'groups' | 'groupProperties'>,
  found: Found['groups'],
): Record<string, Known> {
  return Object.fromEntries(
    Object.entries(groups).map(([type, key]): [string, Known] => {
      const stored = found?.get(type)
      const sent = Object.hasOwn(groupProperties, type) ? groupProperties[type] : undefined
      return [type, { properties: { ...stored, $group_key: key, ...sent }, isAll: stored !== undefined }]
    }),
  )
}

/** posthog-node looks for it among what was sent, and so the two agree. */
function deviceIdOf({
  deviceId,
  personProperties = {},
}: Pick<DecisionRequest, 'deviceId' | 'personProperties'>): string | undefined {
  const sent = Object.hasOwn(personProperties, '$device_id') ? personProperties.$device_id : undefined
  return (typeof sent === 'string' && sent !== '') || typeof sent === 'number'
    ? String(sent)
    : deviceId || undefined
}
