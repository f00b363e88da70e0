import { z } from 'zod'
import { definitionOf } from '../flags/condition-definition'
import type { Askers, Askings, SilentAsker } from '../flags/askings'
import { exposuresOf, exposuresOverTime } from '../flags/exposure-questions'
import { type Flag, mainEnvironment } from '../flags/flag'
import { conditionSet } from '../flags/flag-input'
import type { Flags } from '../flags/flags'
import {
  canBeStale,
  type Settled,
  settledIn,
  type Stale,
  staleDays,
  staleness,
  valueForAll,
} from '../flags/staleness'
import type { Answered, Insights } from '../insights/ask'
import type { ExposedFlag, ExposuresAnswer } from '../insights/exposure'
import type { People } from '../insights/people'
import { periodText } from '../insights/period'
import { requireRight, type Viewer } from '../projects/access'
import { type Outcome, parse } from '../projects/problems'
import type { World } from '../world/world'

/** What is known of a flag by those who were asked for it. */
export interface FlagFigures {
  key: string
  /** How often it was asked for in the period, and by how many people. */
  times: number
  persons: number
  /** What they got, by most people first. */
  values: { value: string; times: number; persons: number }[]
  firstAsked: Date | undefined
  lastAsked: Date | undefined
  /** The libraries that asked, the latest first; of those that send no events, in the last 30 days. */
  askedBy: { library: string; times: number; lastAsked: Date }[]
  /** Why it may go; undefined where it may not. */
  stale: Stale | undefined
}

export interface AllFigures {
  /** By key, of every flag that the project has. */
  flags: ReadonlyMap<string, FlagFigures>
  /** Asked for in the period, though the project has no such flag. */
  unknown: FlagFigures[]
}

/** How many of the people of the last 30 days a condition set is about. */
export interface FlagMatching {
  matching: number
  of: number
  /** Of `of`, from 0 to 1. */
  share: number
  /** About how many of them its percentage lets in. */
  letIn: number
  /** Sentences: what cannot be counted and so was left out. With any, `matching` is at most. */
  left: string[]
}

const environment = z.string().min(1).max(40).default(mainEnvironment)
const listed = z.object({ environment, period: periodText.default(`${staleDays}d`) })
const overTime = z.object({
  environment,
  period: periodText.default(`${staleDays}d`),
  counts: z.enum(['times', 'persons']).default('persons'),
})

interface Ground {
  insights: Pick<Insights, 'ask'>
  people: Pick<People, 'matching'>
  flags: Pick<Flags, 'list' | 'find' | 'history'>
  askings: Pick<Askings, 'lately'>
  world: World
}

/** Flags, joined with what events tell of them: ordinary questions, asked on behalf of whoever wants to know. */
export class FlagNumbers {
  constructor(private readonly ground: Ground) {}

  /** Of all flags, in one question. */
  async ofAll(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ figures: AllFigures }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(listed, input)
    if (!parsed.done) return parsed
    const exposed = await this.exposed(projectId, parsed.value, viewer)
    if (!exposed.done) return exposed
    const flags = await this.ground.flags.list(projectId, viewer)
    const byKey = new Map(exposed.flags.map((one) => [one.flag, one]))
    const silent = await this.silent(projectId, parsed.value.environment)
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
        unknown: unknown.map((one) => ({ ...heardOf(one.flag, one), stale: undefined })),
      },
    }
  }

  /** Undefined where there is no such flag. */
  async ofOne(
    projectId: number,
    key: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ figures: FlagFigures | undefined }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(listed, input)
    if (!parsed.done) return parsed
    const flag = await this.ground.flags.find(projectId, key, viewer)
    if (!flag) return { done: true, figures: undefined }
    const exposed = await this.exposed(projectId, { ...parsed.value, keys: [key] }, viewer)
    if (!exposed.done) return exposed
    const [heard] = exposed.flags
    const { environment: name } = parsed.value
    const silent = await this.silent(projectId, name)
    return { done: true, figures: await this.figuresOf(flag, name, heard, silent, viewer) }
  }

  /** What was got over time, as the answer to a trend: its chart and its table fit. */
  async overTime(projectId: number, key: string, input: unknown, viewer: Viewer): Promise<Outcome<Answered>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(overTime, input)
    if (!parsed.done) return parsed
    return await this.ground.insights.ask(projectId, exposuresOverTime({ key, ...parsed.value }), viewer)
  }

  /** How many people a set fits that may not be saved yet. */
  async matching(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ matching: FlagMatching }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(conditionSet, input)
    if (!parsed.done) return parsed
    const { definition, left } = definitionOf(parsed.value.conditions, staleDays)
    const counted = await this.ground.people.matching(projectId, definition, viewer)
    if (!counted.done) return counted
    const { matching, of } = counted
    const share = of === 0 ? 0 : matching / of
    const letIn = Math.round((matching * parsed.value.percentage) / 100)
    return { done: true, matching: { matching, of, share, letIn, left } }
  }

  private async exposed(
    projectId: number,
    { environment: name, period, keys }: { environment: string; period: string; keys?: readonly string[] },
    viewer: Viewer,
  ): Promise<Outcome<{ flags: readonly ExposedFlag[] }>> {
    const asked = await this.ground.insights.ask(projectId, exposuresOf(name, period, keys), viewer)
    return asked.done ? { done: true, flags: exposedIn(asked) } : asked
  }

  private async figuresOf(
    flag: Flag,
    name: string,
    exposed: ExposedFlag | undefined,
    silent: Askers,
    viewer: Viewer,
  ): Promise<FlagFigures> {
    const heard = heardOf(flag.key, exposed)
    const { firstAsked, lastAsked } = heard
    const values = heard.values.map(({ value }) => value)
    const asked = firstAsked && lastAsked && { firstAsked, lastAsked, values }
    const askers = silent.byKey.get(flag.key) ?? []
    const isAskedSilently = askers.length > 0 || silent.lastForAll !== undefined
    const now = this.ground.world.now()
    const settled = canBeStale(flag, asked, now) ? await this.settled(flag, name, viewer) : undefined
    const stale = staleness(flag, asked, settled, now, { isAskedSilently })
    return { ...withSilent(heard, askers), stale }
  }

  private async silent(projectId: number, name: string): Promise<Askers> {
    return await this.ground.askings.lately(projectId, staleDays, name)
  }

  /** Its history is read only where the last change is too young to tell. */
  private async settled(flag: Flag, name: string, viewer: Viewer): Promise<Settled | undefined> {
    if (valueForAll(flag, name) === undefined) return undefined
    const days = (this.ground.world.now().getTime() - flag.changedAt.getTime()) / 86_400_000
    if (days >= staleDays) return settledIn(flag, name)
    return settledIn(flag, name, await this.ground.flags.history(flag.projectId, flag.key, viewer))
  }
}

/** An answer is of the kind of its question. */
const exposedIn = ({ answer }: Answered): readonly ExposedFlag[] => (answer as ExposuresAnswer).flags

type Heard = Omit<FlagFigures, 'stale'>

function heardOf(key: string, exposed: ExposedFlag | undefined): Heard {
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

function withSilent(heard: Heard, askers: readonly SilentAsker[]): Heard {
  const silent = askers.map(({ client, times, lastAt }) => ({ library: client, times, lastAsked: lastAt }))
  const askedBy = [...heard.askedBy, ...silent].toSorted(
    (one, other) => other.lastAsked.getTime() - one.lastAsked.getTime(),
  )
  return { ...heard, askedBy, lastAsked: askedBy[0]?.lastAsked ?? heard.lastAsked }
}
