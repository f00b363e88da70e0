import { type CohortRules, withNestedCohorts } from './internal/cohort-rules'
import { cohortInPosthogForm } from './posthog/internal/cohorts'
import { dependenciesOf } from './internal/flag-dependencies'
import type { Condition, ConditionSet, Flag } from './flag'
import { flagFields, numberOf } from './posthog/internal/flag-fields'
import { isGivenToServers, reasonsAgainstLocal } from './posthog/internal/local-evaluation'
import type { GroupTypes } from './posthog/import-conditions'
import { inDependencyOrder } from './internal/dependency-order'
import { locallyComparable, posthogComparison } from './posthog/internal/values'
import type {
  PosthogDefinitions,
  PosthogFilters,
  PosthogFlag,
  PosthogProperty,
  PosthogSet,
} from './posthog/internal/posthog-types'
import { isOnIn, setsOf, settingIn } from './internal/settings'

export { posthogFlagRefusal } from './posthog/internal/flag-change'
export { flagsInPosthogJson, fromPosthog } from './posthog/internal/import'
export type { PosthogDefinitions, PosthogFlag } from './posthog/internal/posthog-types'

/** The group types that flags use, numbered as in `toPosthog` and `definitionsFor`. */
export function groupTypesIn(flags: readonly Flag[]): GroupTypes {
  const types = new Set(flags.flatMap(groupTypesOf))
  return Object.fromEntries([...types].toSorted().map((type, number) => [String(number), type]))
}

function groupTypesOf({ bucketBy, environments }: Flag): string[] {
  const conditions = Object.values(environments)
    .flatMap((setting) => setting.conditions)
    .flatMap((set) => set.conditions)
  const named = conditions.flatMap((one) => (one.type === 'group' && one.group ? [one.group] : []))
  return bucketBy.by === 'group' ? [bucketBy.group, ...named] : named
}

/** Converts a flag to the format of PostHog's API: for exports, and for `fromPosthog`. */
export function toPosthog(
  flag: Flag,
  environment: string,
  groupTypes: GroupTypes,
  compared = posthogComparison,
): PosthogFlag {
  return {
    id: flag.id,
    team_id: flag.projectId,
    key: flag.key,
    active: isOnIn(flag, environment),
    deleted: flag.archivedAt !== undefined,
    version: flag.version,
    has_experiment: flag.hasExperiment,
    ...Object.assign({}, ...flagFields.map(({ write }) => write?.(flag))),
    filters: filtersOf(flag, environment, groupTypes, compared),
  }
}

function filtersOf(
  flag: Flag,
  environment: string,
  groupTypes: GroupTypes,
  compared: typeof posthogComparison,
): PosthogFilters {
  const setting = settingIn(flag, environment)
  const sets = setting ? setsOf(flag, setting) : []
  const { holdout, layer } = setting ?? {}
  return {
    groups: sets.map((set) => setOf(set, groupTypes, compared)),
    ...Object.assign(
      {},
      ...flagFields.map(({ writeFilters }) => writeFilters?.(flag, { setting, groupTypes })),
    ),
    ...(holdout && { holdout: { id: holdout.id, exclusion_percentage: holdout.percentage } }),
    ...(layer && { layer }),
    ...(sets.some(({ isLast }) => isLast) && { early_exit: true }),
  }
}

const setOf = (
  { conditions, percentage, variant, description }: ConditionSet,
  groupTypes: GroupTypes,
  compared: typeof posthogComparison,
): PosthogSet => ({
  properties: conditions.map((condition) => propertyOf(condition, groupTypes, compared)),
  rollout_percentage: percentage,
  variant: variant ?? null,
  ...(description !== '' && { description }),
})

function propertyOf(
  condition: Condition,
  groupTypes: GroupTypes,
  compared: typeof posthogComparison,
): PosthogProperty {
  if (condition.type === 'flag')
    return { key: condition.flag, type: 'flag', operator: 'flag_evaluates_to', value: condition.value }
  if (condition.type === 'cohort')
    return { key: 'id', type: 'cohort', operator: condition.operator, value: condition.cohort }
  return {
    ...compared(condition),
    type: condition.type === 'group' ? 'group' : 'person',
    ...(condition.type === 'group' && { group_type_index: numberOf(condition.group ?? '', groupTypes) }),
  }
}

/**
 * A condition that no SDK decides: a cohort that the definitions do not contain, as PostHog's own static cohorts. Every
 * SDK, old or new, asks the server for a flag whose sets all have it.
 */
const serverCondition: PosthogProperty = {
  key: 'id',
  type: 'cohort',
  operator: 'in',
  value: 'decided-by-the-server',
}

/**
 * Leaves a flag to the server. Its own conditions and its holdout are left out: an SDK that decided one of them would go
 * no further.
 */
function withServerConditions(flag: PosthogFlag): PosthogFlag {
  const { holdout: _, early_exit: _early, ...filters } = flag.filters
  const sets = filters.groups.length === 0 ? [emptySet] : filters.groups
  const groups = sets.map((set) => ({ ...set, properties: [serverCondition] }))
  return { ...flag, filters: { ...filters, groups } }
}

const emptySet: PosthogSet = { properties: [], rollout_percentage: 100, variant: null }

/** The body of `/flags/definitions`. */
export function definitionsFor(
  flags: readonly Flag[],
  environment: string,
  cohorts: CohortRules = new Map(),
): PosthogDefinitions {
  const given = flags.filter(isGivenToServers)
  const groupTypes = groupTypesIn(given)
  const chains = chainsIn(given, environment)
  const whyNot = reasonsAgainstLocal(environment, flags, cohorts)
  return {
    flags: given.map((flag) => {
      const written = toPosthog(flag, environment, groupTypes, locallyComparable)
      return whyNot(flag) === undefined ? withChains(written, chains) : withServerConditions(written)
    }),
    group_type_mapping: groupTypes,
    cohorts: cohortsFor(given, environment, cohorts),
    property_matching_version: 2,
    minimal_flag_called_events: false,
  }
}

/** Returns the flags that must be decided first, in order, and the flag itself; empty for a cycle. */
type ChainOf = (key: string) => readonly string[]

function chainsIn(flags: readonly Flag[], environment: string): ChainOf {
  const { ordered, circular } = inDependencyOrder(flags, environment)
  const places = new Map(ordered.map((flag, place) => [flag.key, place]))
  const made = new Map<string, readonly string[]>()
  return (key) => {
    const known = made.get(key)
    if (known) return known
    const needed = new Set([key])
    for (const one of needed) {
      const flag = ordered[places.get(one) ?? -1]
      if (flag) for (const before of dependenciesOf(flag, environment)) needed.add(before)
    }
    const isCircular = [...needed].some((one) => isIn(circular, ordered[places.get(one) ?? -1]))
    const chain = isCircular
      ? []
      : [...needed].toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0))
    made.set(key, chain)
    return chain
  }
}

const isIn = (flags: ReadonlySet<Flag>, flag: Flag | undefined): boolean =>
  flag !== undefined && flags.has(flag)

function withChains(flag: PosthogFlag, chainOf: ChainOf): PosthogFlag {
  const groups = flag.filters.groups.map((set) => ({
    ...set,
    properties: set.properties.map((one) =>
      one.type === 'flag' ? { ...one, dependency_chain: chainOf(one.key) } : one,
    ),
  }))
  return { ...flag, filters: { ...flag.filters, groups } }
}

/** The cohorts that flags use and that properties decide. For other cohorts, SDKs ask the server. */
function cohortsFor(
  flags: readonly Flag[],
  environment: string,
  rules: CohortRules,
): PosthogDefinitions['cohorts'] {
  const named = flags
    .flatMap((flag) => settingIn(flag, environment)?.conditions ?? [])
    .flatMap(({ conditions }) => conditions)
    .flatMap((one) => (one.type === 'cohort' ? [one.cohort] : []))
  return Object.fromEntries(
    [...withNestedCohorts(named, rules)].flatMap((id) => {
      const group = cohortInPosthogForm(rules.get(id))
      return group ? [[id, group]] : []
    }),
  )
}
