import { z } from 'zod'
import type { SilentClients, FlagRequestCounts, SilentClient } from './request-counts/request-counts'
import { exposuresQueryFor, exposureTrendQuery } from './exposure-queries'
import { type Condition, type Flag, mainEnvironment } from './flag'
import { conditionSet } from './flag-schema'
import type { Flags } from './flags'
import {
  canBeStale,
  type SettledValue,
  settledValueIn,
  type StaleReason,
  staleDays,
  staleness,
  valueForAll,
} from './staleness'
import type { AnsweredQuery } from '#insights/answered-query'
import type { Insights } from '#insights/ask'
import type { ExposedFlag } from '#insights/kinds/exposures/answer'
import type { PersonDirectory } from '#insights/people/person-directory'
import { periodText } from '#insights/calendar/period'
import type { AnswerState } from '#insights/waiting-events'
import { requireRight, type Viewer } from '#projects/access'
import { type Outcome, parseInput } from '#projects/problems'
import type { CohortCondition, Filter, PropertyCondition } from '#filters/filter'
import type { World } from '#world/world'
import { isLastKnownKey } from '#insights/compile/last-known'
import type { CohortDefinition } from '#persons/cohort'

/** Usage of a flag by the code that requested it. */
export interface FlagFigures {
  key: string
  /** The number of requests in the period, and of the people they were for. */
  times: number
  persons: number
  /** The returned values, by the most people first. */
  values: { value: string; times: number; persons: number }[]
  firstAsked: Date | undefined
  lastAsked: Date | undefined
  /** The libraries that requested it, the latest first. Those that send no events are counted over the last 30 days. */
  askedBy: { library: string; times: number; lastAsked: Date }[]
  /** Why the flag is stale; undefined if it is not. */
  stale: StaleReason | undefined
}

interface AllFlagFigures {
  /** Figures by key, of every flag of the project. */
  flags: ReadonlyMap<string, FlagFigures>
  /** Keys that code requested in the period and that are no flags of the project. */
  unknown: FlagFigures[]
}

/** The number of people of the last 30 days who match a condition set. */
interface FlagMatching {
  matching: number
  of: number
  /** The share of `of`, from 0 to 1. */
  share: number
  /** The approximate number of them that the percentage includes. */
  letIn: number
  /** Sentences about conditions that cannot be counted. With any, `matching` is an upper limit. */
  left: string[]
  /** Lists exactly the counted people; undefined if all fit. */
  filter: Filter | undefined
  /** Whether a place or a device is asked for: a flag request may come from another than the last known one. */
  usesRequest: boolean
}

const environment = z.string().min(1).max(40).default(mainEnvironment)
const listInput = z.object({ environment, period: periodText.default(`${staleDays}d`) })
const overTimeInput = z.object({
  environment,
  period: periodText.default(`${staleDays}d`),
  counts: z.enum(['times', 'persons']).default('persons'),
})

interface Dependencies {
  insights: Pick<Insights, 'ask'>
  people: Pick<PersonDirectory, 'matching'>
  flags: Pick<Flags, 'list' | 'find' | 'history'>
  requestCounts: Pick<FlagRequestCounts, 'lately'>
  world: World
}

/** Joins flags with figures from events. Each query runs as an ordinary insight with the viewer's rights. */
export class FlagNumbers {
  constructor(private readonly dependencies: Dependencies) {}

  /** Returns the figures of all flags, from one query. */
  async ofAll(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ figures: AllFlagFigures }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(listInput, input)
    if (!parsed.done) return parsed
    const exposed = await this.exposedFlags(projectId, parsed.value, viewer)
    if (!exposed.done) return exposed
    const flags = await this.dependencies.flags.list(projectId, viewer)
    const byKey = new Map(exposed.flags.map((one) => [one.flag, one]))
    const silent = await this.silentClients(projectId, parsed.value.environment)
    const figures = await Promise.all(
      flags.map((flag) =>
        this.figuresOf(flag, parsed.value.environment, byKey.get(flag.key), silent, viewer),
      ),
    )
    const known = new Set(flags.map(({ key }) => key))
    const unknown = exposed.flags.filter(({ flag, times }) => times > 0 && !known.has(flag))
    return {
      done: true,
      figures: {
        flags: new Map(figures.map((one) => [one.key, one])),
        unknown: unknown.map((one) => ({ ...flagCallsOf(one.flag, one), stale: undefined })),
      },
    }
  }

  /** Undefined if the flag does not exist; `state` says how old the figures are. */
  async ofOne(
    projectId: number,
    key: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ figures: FlagFigures | undefined; state?: AnswerState }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(listInput, input)
    if (!parsed.done) return parsed
    const flag = await this.dependencies.flags.find(projectId, key, viewer)
    if (!flag) return { done: true, figures: undefined }
    const exposed = await this.exposedFlags(projectId, { ...parsed.value, keys: [key] }, viewer)
    if (!exposed.done) return exposed
    const [calls] = exposed.flags
    const { environment: name } = parsed.value
    const silent = await this.silentClients(projectId, name)
    return {
      done: true,
      figures: await this.figuresOf(flag, name, calls, silent, viewer),
      state: exposed.state,
    }
  }

  /** Returns the values over time as the answer to a trend, with its chart and table. */
  async overTime(
    projectId: number,
    key: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<AnsweredQuery<'trend'>>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(overTimeInput, input)
    if (!parsed.done) return parsed
    return await this.dependencies.insights.ask(
      projectId,
      exposureTrendQuery({ key, ...parsed.value }),
      viewer,
    )
  }

  /** Counts the people who match a set, which need not be saved. */
  async matching(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ matching: FlagMatching }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(conditionSet, input)
    if (!parsed.done) return parsed
    const audience = audienceOf(parsed.value.conditions)
    const definition = definitionOf(audience, staleDays)
    const counted = await this.dependencies.people.matching(projectId, definition, viewer)
    if (!counted.done) return counted
    const { matching, of } = counted
    const share = of === 0 ? 0 : matching / of
    const letIn = Math.round((matching * parsed.value.percentage) / 100)
    return { done: true, matching: { matching, of, share, letIn, ...audience } }
  }

  private async exposedFlags(
    projectId: number,
    { environment: name, period, keys }: { environment: string; period: string; keys?: readonly string[] },
    viewer: Viewer,
  ): Promise<Outcome<{ flags: readonly ExposedFlag[]; state: AnswerState }>> {
    const outcome = await this.dependencies.insights.ask(
      projectId,
      exposuresQueryFor(name, period, keys),
      viewer,
    )
    return outcome.done ? { done: true, flags: outcome.answer.flags, state: outcome } : outcome
  }

  private async figuresOf(
    flag: Flag,
    name: string,
    exposed: ExposedFlag | undefined,
    silent: SilentClients,
    viewer: Viewer,
  ): Promise<FlagFigures> {
    const calls = flagCallsOf(flag.key, exposed)
    const { firstAsked, lastAsked } = calls
    const values = calls.values.map(({ value }) => value)
    const asked = firstAsked && lastAsked && { firstAsked, lastAsked, values }
    const silentClients = silent.byKey.get(flag.key) ?? []
    const isAskedSilently = silentClients.length > 0 || silent.lastForAll !== undefined
    const now = this.dependencies.world.now()
    const settled = canBeStale(flag, asked, now) ? await this.rolloutState(flag, name, viewer) : undefined
    const stale = staleness(flag, asked, settled, now, { isAskedSilently })
    return { ...withSilentClients(calls, silentClients), stale }
  }

  private async silentClients(projectId: number, name: string): Promise<SilentClients> {
    return await this.dependencies.requestCounts.lately(projectId, staleDays, name)
  }

  /** Reads the history only if the last change is recent. */
  private async rolloutState(flag: Flag, name: string, viewer: Viewer): Promise<SettledValue | undefined> {
    if (valueForAll(flag, name) === undefined) return undefined
    const days = (this.dependencies.world.now().getTime() - flag.changedAt.getTime()) / 86_400_000
    if (days >= staleDays) return settledValueIn(flag, name)
    return settledValueIn(flag, name, await this.dependencies.flags.history(flag.projectId, flag.key, viewer))
  }
}

type FlagCalls = Omit<FlagFigures, 'stale'>

function flagCallsOf(key: string, exposed: ExposedFlag | undefined): FlagCalls {
  return {
    key,
    times: exposed?.times ?? 0,
    persons: exposed?.persons ?? 0,
    values: exposed?.values ?? [],
    firstAsked: exposed && new Date(exposed.firstAsked),
    lastAsked: exposed && new Date(exposed.lastAsked),
    askedBy: (exposed?.askedBy ?? []).map(({ lastAsked, ...one }) => ({
      ...one,
      lastAsked: new Date(lastAsked),
    })),
  }
}

function withSilentClients(calls: FlagCalls, silentClients: readonly SilentClient[]): FlagCalls {
  const silent = silentClients.map(({ client, times, lastAt }) => ({
    library: client,
    times,
    lastAsked: lastAt,
  }))
  const askedBy = [...calls.askedBy, ...silent].toSorted(
    (one, other) => other.lastAsked.getTime() - one.lastAsked.getTime(),
  )
  return { ...calls, askedBy, lastAsked: askedBy[0]?.lastAsked ?? calls.lastAsked }
}

/** The people a condition set applies to, as far as their events and profiles can tell. */
interface ConditionAudience {
  /** A filter of persons, as the list of people takes it; undefined if all persons fit. */
  filter: { all: (PropertyCondition | CohortCondition)[] } | undefined
  /** A sentence for each condition that is left out. */
  left: string[]
  /** Whether a place or a device is asked for, which each flag request tells anew. */
  usesRequest: boolean
}

/** Persons count by their last known place and device, as in the list of the people who get a flag. */
export function audienceOf(conditions: readonly Condition[]): ConditionAudience {
  const all: (PropertyCondition | CohortCondition)[] = []
  const left: string[] = []
  for (const condition of conditions) {
    if (condition.type === 'flag') left.push(notCounted.flag(condition.flag))
    else if (condition.type === 'cohort' || condition.type === 'person') all.push(condition)
    else left.push(notCounted.group(condition.key))
  }
  const usesRequest = all.some((condition) => condition.type === 'person' && isLastKnownKey(condition.key))
  return { filter: all.length > 0 ? { all } : undefined, left, usesRequest }
}

/** The people of an audience as a cohort definition. */
export const definitionOf = ({ filter }: ConditionAudience, days: number): CohortDefinition =>
  filter ? { is: filter } : { did: { event: null }, within: { days } }

const notCounted = {
  flag: (key: string) => `This count ignores the condition on flag “${key}”.`,
  group: (key: string) => `This count ignores conditions on groups (“${key}”).`,
}
