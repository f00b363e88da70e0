import type { FilterAnswer, CompiledFilter } from '#filters/filter'
import { sharesOf } from './bucket'
import { compileCohort, type CohortRules } from './internal/cohort-rules'
import { dependenciesOf } from './internal/flag-dependencies'
import type { Condition, ConditionSet, Flag, Holdout, LayerSlice } from './flag'
import { type LookupNeeds, lookupNeedsOf } from './internal/lookup-needs'
import { inDependencyOrder } from './internal/dependency-order'
import { compiledConditionOf } from './internal/property-conditions'
import { InternedDecisions } from './internal/interned-decisions'
import { isOnIn, setsOf, settingIn } from './internal/settings'
import type { Visitor } from './internal/visitor'

/** A project's flags in one environment, ready for decisions. */
export interface CompiledFlags {
  /** The flags, each after those it depends on. */
  flags: readonly CompiledFlag[]
  indexes: ReadonlyMap<string, number>
  /** Cohorts that a person's properties decide, by id. */
  cohorts: ReadonlyMap<string, CompiledFilter>
  needs: LookupNeeds
}

export interface CompiledFlag {
  flag: Flag
  /** The reason for a decision that holds for every visitor; undefined if it depends on the visitor. */
  presetReason: 'flag_disabled' | 'missing_dependency' | 'undecided' | undefined
  /** The indexes of the flags it depends on. */
  dependencies: readonly number[]
  holdout: Holdout | undefined
  layer: LayerSlice | undefined
  /** The upper end of each variant's share. */
  shares: readonly number[]
  sets: readonly CompiledSet[]
  decisions: InternedDecisions
}

export interface CompiledSet {
  conditions: readonly CompiledCondition[]
  percentage: number
  /** The index of the set's variant; undefined if the visitor's bucket decides. */
  variant: number | undefined
  isLast: boolean
}

export interface CompiledCondition {
  condition: Condition
  holds(visitor: Visitor): FilterAnswer
}

export function compileFlags(
  flags: readonly Flag[],
  environment: string,
  cohorts: CohortRules = new Map(),
): CompiledFlags {
  const { ordered, circular } = inDependencyOrder(flags, environment)
  const indexes = new Map(ordered.map(({ key }, index) => [key, index]))
  return {
    flags: ordered.map((flag) => compileFlag(flag, environment, indexes, circular)),
    indexes,
    cohorts: compileCohorts(cohorts),
    needs: lookupNeedsOf(flags, environment, cohorts),
  }
}

function compileCohorts(cohorts: CohortRules): Map<string, CompiledFilter> {
  const deciders = new Map<string, CompiledFilter>()
  for (const [id, rule] of cohorts) {
    const decider = compileCohort(rule)
    if (decider) deciders.set(id, decider)
  }
  return deciders
}

function compileFlag(
  flag: Flag,
  environment: string,
  indexes: ReadonlyMap<string, number>,
  circular: ReadonlySet<Flag>,
): CompiledFlag {
  const setting = settingIn(flag, environment)
  const dependencyKeys = [...dependenciesOf(flag, environment)]
  const dependencies = dependencyKeys.flatMap((key) => indexes.get(key) ?? [])
  const isWhole = dependencies.length === dependencyKeys.length
  const presetReason = isOnIn(flag, environment)
    ? presetReasonOf(circular.has(flag), isWhole)
    : 'flag_disabled'
  return {
    flag,
    presetReason,
    dependencies,
    holdout: setting?.holdout,
    layer: setting?.layer,
    shares: sharesOf(flag.variants),
    // a preset decision evaluates no sets
    sets: presetReason || !setting ? [] : setsOf(flag, setting).map((set) => compileSet(set, flag, indexes)),
    decisions: new InternedDecisions(flag, setting),
  }
}

function presetReasonOf(isCircular: boolean, isWhole: boolean): CompiledFlag['presetReason'] {
  if (isCircular) return 'undecided'
  return isWhole ? undefined : 'missing_dependency'
}

function compileSet(
  { conditions, percentage, variant, isLast }: ConditionSet,
  flag: Flag,
  indexes: ReadonlyMap<string, number>,
): CompiledSet {
  const given = flag.variants.findIndex(({ key }) => key === variant)
  return {
    conditions: conditions.map((condition) => compileCondition(condition, indexes)),
    percentage,
    variant: given < 0 ? undefined : given,
    isLast,
  }
}

function compileCondition(condition: Condition, indexes: ReadonlyMap<string, number>): CompiledCondition {
  if (condition.type === 'flag') {
    const index = indexes.get(condition.flag)
    return { condition, holds: (visitor) => visitor.hasDecision(index, condition.value) }
  }
  const holds = compiledConditionOf(condition)
  if (condition.type !== 'group')
    return { condition, holds: (visitor) => holds(visitor, visitor.context.now) }
  const { group = '' } = condition
  return {
    condition,
    // a condition about a group that the request does not name never matches, not even a negated one
    holds: (visitor) => visitor.groupKey(group) !== undefined && holds(visitor, visitor.context.now),
  }
}
