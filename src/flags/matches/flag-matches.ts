import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Insights } from '#insights/ask'
import { labelOf, personLabel } from '#insights/people/person-label'
import { describeVisitors, recentVisitors } from '#insights/people/recent-visitors'
import type { QueryScope } from '#insights/scope'
import { requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import { heapShare } from '#world/heap-share'
import type { World } from '#world/world'
import type { Decision, DecisionReasonCode } from '../decision'
import { decisionSchema, flagValue, reasonCode } from '../decision-schema'
import type { FlagDefinitions } from '../definitions'
import { type Flag, mainEnvironment } from '../flag'
import type { FlagDecider } from '../flag-decider'
import type { Flags } from '../flags'
import {
  compiledAsIfOn,
  type EvaluatedVisitor,
  evaluateVisitors,
  type VisitorBatchSource,
} from './internal/evaluated-visitors'

/** A person and the value they get now. */
const flagMatch = z.strictObject({
  id: z.string(),
  name: z.string(),
  label: personLabel,
  isIdentified: z.boolean(),
  distinctId: z.string(),
  lastSeen: z.string(),
  value: flagValue,
  reason: decisionSchema.shape.reason,
  /** The properties with which they were evaluated, so that an explanation can repeat it. */
  requestProperties: z.record(z.string(), z.json()),
  groups: z.record(z.string(), z.string()),
})
export type FlagMatch = z.infer<typeof flagMatch>

const flagMatchCounts = z.strictObject({
  evaluated: z.number().meta({ description: 'The persons seen last, if there are very many' }),
  /** All persons of the last 30 days. */
  persons: z.number(),
  /** Persons who get a value. */
  served: z.number(),
  /** The values that persons get, the most frequent first. */
  values: z.array(z.strictObject({ value: flagValue, persons: z.number() })),
  /** The counts by condition set, in order. A person counts for the set that decided. */
  sets: z.array(z.strictObject({ served: z.number(), outsideRollout: z.number() })),
  /** Why persons get nothing, by the most persons first. */
  withoutValue: z.array(z.strictObject({ code: reasonCode, persons: z.number() })),
})
type FlagMatchCounts = z.infer<typeof flagMatchCounts>

export const flagMatchPage = z.strictObject({
  matches: z.array(flagMatch),
  /** The number of listed persons on all pages. */
  total: z.number(),
  counts: flagMatchCounts,
  isAsIfOn: z.boolean().meta({ description: 'The flag is off; these would get it' }),
  at: z.date(),
})
type FlagMatchPage = z.infer<typeof flagMatchPage>

const wholeNumber = z.coerce.number({ error: 'Give a whole number.' }).int().min(1).max(1000)

const matchesInput = z.object({
  environment: z.string().min(1).max(40).default(mainEnvironment),
  /** Persons who get a value, persons who do not, or both. */
  show: z.enum(['served', 'not-served', 'all']).default('served'),
  /** Only persons who get this value: a variant's key, or true. */
  value: z.string().max(200).optional(),
  /** The condition set that decided, counted from 1. */
  set: wholeNumber.optional(),
  page: wholeNumber.default(1),
})
type MatchesFilter = z.infer<typeof matchesInput>

interface FlagMatchesDependencies {
  insights: Pick<Insights, 'scope'>
  flags: Pick<Flags, 'find'>
  definitions: Pick<FlagDefinitions, 'compiled' | 'flagsOf' | 'cohortsOf' | 'fingerprint' | 'find' | 'reload'>
  decider: Pick<FlagDecider, 'evaluate'>
  /** Reads the members of cohorts again if this process has old ones. */
  refreshCohorts: () => Promise<void>
  source: VisitorBatchSource
  world: World
}

interface Evaluation {
  evaluated: readonly EvaluatedVisitor[]
  persons: number
  isAsIfOn: boolean
  at: Date
}

/** The heap that a person takes while they are evaluated. */
const bytesOfPerson = 1500
/** The most persons that one request evaluates, which takes about two seconds; fewer where memory is small. */
const mostEvaluated = Math.min(50_000, Math.floor(heapShare(0.15) / bytesOfPerson))
const matchesPerPage = 50
/** The pages of one list show one evaluation, which leaves memory afterwards. */
const freshForMs = 15_000
const mostKept = 2

/** Lists the persons of the last 30 days by what they get of a flag, decided by the evaluator that answers SDKs. */
export class FlagMatches {
  private readonly evaluations = new LRUCache<string, Evaluation, () => Promise<Evaluation>>({
    max: mostKept,
    ttl: freshForMs,
    ttlAutopurge: true,
    fetchMethod: (_name, _last, { context: evaluate }) => evaluate(),
    // one that is displaced meanwhile still answers those who wait
    ignoreFetchAbort: true,
  })

  constructor(private readonly dependencies: FlagMatchesDependencies) {}

  async list(
    projectId: number,
    key: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ page: FlagMatchPage }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(matchesInput, input)
    if (!parsed.done) return parsed
    const { flags, insights } = this.dependencies
    const known = await flags.find(projectId, key, viewer)
    const flag = known && (await this.latest(known))
    if (!flag) return failedOutcome('There is no such flag in this project.')
    const scope = await insights.scope(projectId, viewer)
    const { evaluated, persons, isAsIfOn, at } = await this.evaluationOf(flag, parsed.value, scope)
    const listed = evaluated.filter((one) => isListed(one.decision, parsed.value))
    const start = (parsed.value.page - 1) * matchesPerPage
    const matches = await describe(listed.slice(start, start + matchesPerPage), scope)
    const counts = countsOf(evaluated, flag, parsed.value.environment, persons)
    return { done: true, page: { matches, total: listed.length, counts, isAsIfOn, at } }
  }

  /** Definitions in memory may be older than a change that the caller has just made in another process. */
  private async latest({ projectId, key, version }: Flag): Promise<Flag | undefined> {
    const { definitions } = this.dependencies
    const known = definitions.find(projectId, key)
    if (known && known.version >= version) return known
    await definitions.reload()
    return definitions.find(projectId, key)
  }

  private async evaluationOf(
    flag: Flag,
    { environment }: MatchesFilter,
    scope: QueryScope,
  ): Promise<Evaluation> {
    const { definitions } = this.dependencies
    const version = definitions.fingerprint(flag.projectId)
    const name = JSON.stringify([flag.projectId, flag.key, environment, version])
    return await this.evaluations.forceFetch(name, {
      context: () => this.evaluate(flag, environment, scope),
    })
  }

  private async evaluate(flag: Flag, environment: string, scope: QueryScope): Promise<Evaluation> {
    const { definitions, decider, refreshCohorts, source, world } = this.dependencies
    const { projectId } = flag
    await refreshCohorts()
    const [flags, cohorts] = [definitions.flagsOf(projectId), definitions.cohortsOf(projectId)]
    const asIfOn = compiledAsIfOn(flags, flag, environment, cohorts)
    const compiled = asIfOn ?? definitions.compiled(projectId, environment)
    const { visitors, total } = await recentVisitors(scope, mostEvaluated)
    const now = world.now()
    const evaluated = await evaluateVisitors(compiled, flag, visitors, { decider, source, now })
    return { evaluated, persons: total, isAsIfOn: asIfOn !== undefined, at: now }
  }
}

function isListed({ value, reason }: Decision, { show, value: wanted, set }: MatchesFilter): boolean {
  if (wanted !== undefined && String(value) !== wanted) return false
  if (set !== undefined && reason.condition !== set - 1) return false
  if (wanted !== undefined || show === 'all') return true
  return (value !== false) === (show === 'served')
}

async function describe(page: readonly EvaluatedVisitor[], scope: QueryScope): Promise<FlagMatch[]> {
  const described = await describeVisitors(
    page.map(({ visitor }) => visitor),
    scope,
  )
  return page.map(({ visitor, decision: { value, reason } }) => {
    const { personId: id, distinctId, lastSeen, requestProperties, groups } = visitor
    const { name, label, isIdentified } = described.get(id) ?? {
      name: distinctId,
      label: labelOf({}, id),
      isIdentified: false,
    }
    return { id, name, label, isIdentified, distinctId, lastSeen, value, reason, requestProperties, groups }
  })
}

function countsOf(
  evaluated: readonly EvaluatedVisitor[],
  flag: Flag,
  environment: string,
  persons: number,
): FlagMatchCounts {
  const sets = (flag.environments[environment]?.conditions ?? []).map(() => ({
    served: 0,
    outsideRollout: 0,
  }))
  const values = new Map<boolean | string, number>()
  const withoutValue = new Map<DecisionReasonCode, number>()
  for (const { decision } of evaluated) {
    const { value, reason } = decision
    const set = reason.condition === undefined ? undefined : sets[reason.condition]
    if (value === false) countOne(withoutValue, reason.code)
    else countOne(values, value)
    if (set) set[value === false ? 'outsideRollout' : 'served']++
  }
  const served = [...values.values()].reduce((sum, one) => sum + one, 0)
  return {
    evaluated: evaluated.length,
    persons,
    served,
    values: byMost(values).map(([value, count]) => ({ value, persons: count })),
    sets,
    withoutValue: byMost(withoutValue).map(([code, count]) => ({ code, persons: count })),
  }
}

const countOne = <Key>(counts: Map<Key, number>, key: Key): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const byMost = <Key>(counts: ReadonlyMap<Key, number>): [Key, number][] =>
  [...counts].toSorted(([, one], [, other]) => other - one)
