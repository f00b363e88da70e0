import type { Json, Properties } from '#events/event'
import { personIdOf } from '#persons/person'
import type { World } from '#world/world'
import type { CompiledFlags } from './compile'
import { decideAll, type DecideOptions, decideOne } from './internal/decide'
import type { EvaluationContext, Decision, KnownProperties } from './decision'
import type { FlagDefinitions } from './definitions'
import { explain, type Explanation } from './explain'
import {
  VisitorLookup,
  type VisitorLookupResult,
  isKnownAlready,
  type VisitorDataSource,
} from './internal/visitor-lookup'
import { CohortMemberships } from './internal/cohort-memberships'

export type { VisitorDataSource } from './internal/visitor-lookup'

/** A parsed request for flag decisions. */
export interface DecisionRequest {
  distinctId: string
  deviceId?: string | undefined
  /** The id before sign-in: `$anon_distinct_id`. */
  anonymousId?: string | undefined
  /** The keys of their groups, by type. */
  groups?: Readonly<Record<string, string>> | undefined
  /** Properties in the request; they override stored ones. */
  personProperties?: Properties | undefined
  /** Properties of groups in the request, by type. */
  groupProperties?: Readonly<Record<string, Properties>> | undefined
  /** Properties of the request itself: $geoip_country_code, $browser, $os, $device_type … They override stored ones. */
  ofRequest?: Properties | undefined
  flagKeys?: readonly string[] | undefined
  contexts?: readonly string[] | undefined
  asks: DecideOptions['asks']
  now: Date
}

/** A request for the decisions that a page rendered here needs. */
interface PageRequest extends Omit<DecisionRequest, 'asks'> {
  asks: 'page'
  /** Whether the visitor has no id or a new one, so that nothing can be stored for them. */
  isNobody: boolean
}

export interface Decisions {
  decisions: Decision[]
  /** False if a flag could not be decided because a look-up failed. */
  isComplete: boolean
}

interface FlagDeciderDependencies {
  definitions: FlagDefinitions
  lookups: VisitorDataSource
  world: World
  /** Receives errors of background work, which has no caller to throw to. */
  fail(error: unknown): void
  /** The deadline of a look-up; its result counts as unknown afterwards. */
  deadlineMs?: number
}

/** Decides flags, and looks up the visitor's properties that they need. */
export class FlagDecider {
  private readonly memberships: CohortMemberships
  private readonly visitorLookup: VisitorLookup

  constructor(private readonly dependencies: FlagDeciderDependencies) {
    const { definitions, lookups } = dependencies
    this.visitorLookup = new VisitorLookup(dependencies)
    this.memberships = new CohortMemberships({
      definitions,
      members: (projectId, cohort) => lookups.members(projectId, cohort),
      fail: (error) => dependencies.fail(error),
    })
  }

  /** Returns synchronously if nothing has to be looked up. */
  decide(projectId: number, environment: string, request: DecisionRequest): Decisions | Promise<Decisions> {
    const compiled = this.dependencies.definitions.compiled(projectId, environment)
    return isKnownAlready(compiled.needs, request)
      ? this.decisions(projectId, compiled, request, {})
      : this.decideLater(projectId, compiled, request)
  }

  /**
   * Decides from the request and from memory, because a page must not wait. A visitor who is not in memory is looked
   * up in the background for the next page; until then, conditions that need the look-up are undecided.
   */
  decideNow(projectId: number, environment: string, request: PageRequest): Decision[] {
    const compiled = this.dependencies.definitions.compiled(projectId, environment)
    const found = request.isNobody
      ? { person: { id: personIdOf(projectId, request.distinctId), properties: none }, keptIds: none }
      : this.visitorLookup.remembered(projectId, compiled.needs, request)
    return decideAll(compiled, this.contextFor(projectId, compiled, request, found), request)
  }

  private async decideLater(
    projectId: number,
    compiled: CompiledFlags,
    request: DecisionRequest,
  ): Promise<Decisions> {
    const found = await this.visitorLookup.find(projectId, compiled.needs, request)
    if (found.keptIds) this.visitorLookup.keep(projectId, compiled.needs, request, found.keptIds)
    return this.decisions(projectId, compiled, request, found)
  }

  private decisions(
    projectId: number,
    compiled: CompiledFlags,
    request: DecisionRequest,
    found: VisitorLookupResult,
  ): Decisions {
    const decisions = decideAll(compiled, this.contextFor(projectId, compiled, request, found), request)
    return { decisions, isComplete: decisions.every(({ reason }) => reason.code !== 'undecided') }
  }

  /** Explains a visitor's decision; undefined if the flag does not exist. It changes nothing. */
  async explain(
    projectId: number,
    environment: string,
    key: string,
    request: DecisionRequest,
  ): Promise<Explanation | undefined> {
    const compiled = this.dependencies.definitions.compiled(projectId, environment)
    const found = await this.visitorLookup.find(projectId, compiled.needs, request)
    return explain(compiled, key, this.contextFor(projectId, compiled, request, found))
  }

  /** Decides one flag for a visitor whose stored data the caller has read; undefined if the flag does not exist. */
  evaluate(
    projectId: number,
    compiled: CompiledFlags,
    key: string,
    request: Omit<DecisionRequest, 'asks'>,
    found: VisitorLookupResult,
  ): Decision | undefined {
    return decideOne(compiled, key, this.contextFor(projectId, compiled, request, found))
  }

  /** Reloads the members of the cohorts that flags name. A job runs it every few minutes. */
  async refreshCohorts(): Promise<void> {
    await this.memberships.refresh()
  }

  private contextFor(
    projectId: number,
    { needs }: CompiledFlags,
    request: Omit<DecisionRequest, 'asks'>,
    { person, groups, keptIds }: VisitorLookupResult,
  ): EvaluationContext {
    const { distinctId, anonymousId, personProperties, ofRequest, now } = request
    return {
      distinctId,
      deviceId: deviceIdOf(request),
      anonymousId,
      groups: request.groups ?? none,
      person: {
        properties: mergeProperties(needs.person, [
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

/** The first object with a property counts. */
function mergeProperties(
  keys: ReadonlySet<string>,
  sources: readonly (Properties | undefined)[],
): Properties {
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
  found: VisitorLookupResult['groups'],
): Record<string, KnownProperties> {
  return Object.fromEntries(
    Object.entries(groups).map(([type, key]): [string, KnownProperties] => {
      const stored = found?.get(type)
      const sent = Object.hasOwn(groupProperties, type) ? groupProperties[type] : undefined
      return [type, { properties: { ...stored, $group_key: key, ...sent }, isAll: stored !== undefined }]
    }),
  )
}

/** posthog-node reads it from the sent properties, so this does too. */
function deviceIdOf({
  deviceId,
  personProperties = {},
}: Pick<DecisionRequest, 'deviceId' | 'personProperties'>): string | undefined {
  const sent = Object.hasOwn(personProperties, '$device_id') ? personProperties.$device_id : undefined
  return (typeof sent === 'string' && sent !== '') || typeof sent === 'number'
    ? String(sent)
    : deviceId || undefined
}
