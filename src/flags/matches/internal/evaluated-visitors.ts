import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Properties } from '#events/event'
import type { RecentVisitor } from '#insights/people/recent-visitors'
import { type CompiledFlags, compileFlags } from '../../compile'
import type { CohortRules } from '../../internal/cohort-rules'
import type { Decision } from '../../decision'
import { isOnIn, settingIn } from '../../internal/settings'
import type { VisitorLookupResult } from '../../internal/visitor-lookup'
import type { Flag } from '../../flag'
import type { FlagDecider } from '../../flag-decider'

/** Reads what is stored about many visitors at once, as `VisitorDataSource` does about one. */
export interface VisitorBatchSource {
  /** The person behind each distinct id, with their properties. */
  persons(
    projectId: number,
    distinctIds: readonly string[],
  ): Promise<ReadonlyMap<string, { id: string; properties: Properties }>>
  /** The properties of groups with these keys. */
  groups(
    projectId: number,
    keys: readonly string[],
  ): Promise<readonly { type: string; key: string; properties: Properties }[]>
  /** The ids by which flags bucketed persons before sign-in, by distinct id and then by flag key. */
  keptIds(
    projectId: number,
    distinctIds: readonly string[],
  ): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>
}

export interface EvaluatedVisitor {
  visitor: RecentVisitor
  decision: Decision
}

/** Compiles the flags; one that is off is compiled as if it were on, to show who would get it. */
export function compiledAsIfOn(
  flags: readonly Flag[],
  flag: Flag,
  environment: string,
  cohorts: CohortRules,
): CompiledFlags | undefined {
  const setting = settingIn(flag, environment)
  if (!setting || flag.archivedAt || isOnIn(flag, environment)) return undefined
  const asIfOn = {
    ...flag,
    environments: { ...flag.environments, [environment]: { ...setting, isOn: true } },
  }
  return compileFlags(
    flags.map((one) => (one.key === flag.key ? asIfOn : one)),
    environment,
    cohorts,
  )
}

/** Visitors between two turns of the event loop, so that other requests are answered meanwhile. */
const atOnce = 1000

/** Decides one flag for many visitors with the evaluator that answers SDKs. */
export async function evaluateVisitors(
  compiled: CompiledFlags,
  flag: Flag,
  visitors: readonly RecentVisitor[],
  { decider, source, now }: { decider: Pick<FlagDecider, 'evaluate'>; source: VisitorBatchSource; now: Date },
): Promise<EvaluatedVisitor[]> {
  const evaluated: EvaluatedVisitor[] = []
  for (let start = 0; start < visitors.length; start += atOnce) {
    const portion = visitors.slice(start, start + atOnce)
    const known = await storedAbout(flag.projectId, portion, compiled, source)
    for (const visitor of portion) {
      const { distinctId, deviceId, groups, requestProperties } = visitor
      const request = { distinctId, deviceId, groups, ofRequest: requestProperties, now }
      const decision = decider.evaluate(flag.projectId, compiled, flag.key, request, known(visitor))
      if (decision) evaluated.push({ visitor, decision })
    }
    await nextTurn()
  }
  return evaluated
}

/** Reads each kind of data only if a flag needs it. */
async function storedAbout(
  projectId: number,
  visitors: readonly RecentVisitor[],
  { needs }: CompiledFlags,
  source: VisitorBatchSource,
): Promise<(visitor: RecentVisitor) => VisitorLookupResult> {
  const distinctIds = [...new Set(visitors.map(({ distinctId }) => distinctId))]
  const groupKeys = new Set(
    visitors.flatMap(({ groups }) =>
      Object.entries(groups).flatMap(([type, key]) => (needs.groups.has(type) ? [key] : [])),
    ),
  )
  const [persons, groups, keptIds] = await Promise.all([
    needs.person.size + needs.cohorts.size > 0 ? source.persons(projectId, distinctIds) : undefined,
    source.groups(projectId, [...groupKeys]),
    needs.keptIds.length > 0 ? source.keptIds(projectId, distinctIds) : undefined,
  ])
  const byName = new Map(groups.map(({ type, key, properties }) => [groupName(type, key), properties]))
  return ({ distinctId, groups: own }) => ({
    person: persons?.get(distinctId),
    groups: new Map(Object.entries(own).map(([type, key]) => [type, byName.get(groupName(type, key)) ?? {}])),
    keptIds: keptIds && (keptIds.get(distinctId) ?? {}),
  })
}

const groupName = (type: string, key: string): string => JSON.stringify([type, key])
