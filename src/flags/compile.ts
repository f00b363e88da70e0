import type { Answer, Decider } from '../filters/filter'
import { sharesOf } from './bucket'
import { cohortDecider, type CohortRules } from './cohort-rules'
import { dependenciesOf } from './input/dependencies'
import type { Condition, ConditionSet, Flag, Holdout } from './flag'
import { type Needs, needsOf } from './deciding/needs'
import { inOrderOfNeed } from './deciding/order'
import { conditionDecider } from './deciding/property-conditions'
import { Sayings } from './deciding/sayings'
import { isOnIn, setsOf, settingIn } from './deciding/settings'
import type { Visitor } from './deciding/visitor'

export type { Needs } from './deciding/needs'

/** A project's flags as one environment has them, ready to decide. */
export interface CompiledFlags {
  /** Each after those it depends on. */
  flags: readonly CompiledFlag[]
  places: ReadonlyMap<string, number>
  /** Cohorts that are decided by what is known of somebody, by id. */
  cohorts: ReadonlyMap<string, Decider>
  needs: Needs
}

export interface CompiledFlag {
  flag: Flag
  /** What it is before anybody is looked at, if that is decided. */
  standing: 'flag_disabled' | 'missing_dependency' | 'undecided' | undefined
  /** Where those it depends on are. */
  dependencies: readonly number[]
  holdout: Holdout | undefined
  /** Where each variant's share ends. */
  shares: readonly number[]
  sets: readonly CompiledSet[]
  sayings: Sayings
}

export interface CompiledSet {
  conditions: readonly CompiledCondition[]
  percentage: number
  /** The variant it gives, by place; undefined where the bucket says. */
  variant: number | undefined
  isLast: boolean
}

export interface CompiledCondition {
  condition: Condition
  holds(visitor: Visitor): Answer
}

export function compileFlags(
  flags: readonly Flag[],
  environment: string,
  cohorts: CohortRules = new Map(),
): CompiledFlags {
  const { ordered, circular } = inOrderOfNeed(flags, environment)
  const places = new Map(ordered.map(({ key }, place) => [key, place]))
  return {
    flags: ordered.map((flag) => compileFlag(flag, environment, places, circular)),
    places,
    cohorts: cohortDeciders(cohorts),
    needs: needsOf(flags, environment, cohorts),
  }
}

function cohortDeciders(cohorts: CohortRules): Map<string, Decider> {
  const deciders = new Map<string, Decider>()
  for (const [id, rule] of cohorts) {
    const decider = cohortDecider(rule)
    if (decider) deciders.set(id, decider)
  }
  return deciders
}

function compileFlag(
  flag: Flag,
  environment: string,
  places: ReadonlyMap<string, number>,
  circular: ReadonlySet<Flag>,
): CompiledFlag {
  const setting = settingIn(flag, environment)
  const asked = [...dependenciesOf(flag, environment)]
  const dependencies = asked.flatMap((key) => places.get(key) ?? [])
  const isWhole = dependencies.length === asked.length
  const standing = isOnIn(flag, environment) ? standingOf(circular.has(flag), isWhole) : 'flag_disabled'
  return {
    flag,
    standing,
    dependencies,
    holdout: setting?.holdout,
    shares: sharesOf(flag.variants),
    // what is decided already asks nobody
    sets: standing || !setting ? [] : setsOf(flag, setting).map((set) => compileSet(set, flag, places)),
    sayings: new Sayings(flag, setting),
  }
}

function standingOf(isCircular: boolean, isWhole: boolean): CompiledFlag['standing'] {
  if (isCircular) return 'undecided'
  return isWhole ? undefined : 'missing_dependency'
}

function compileSet(
  { conditions, percentage, variant, isLast }: ConditionSet,
  flag: Flag,
  places: ReadonlyMap<string, number>,
): CompiledSet {
  const given = flag.variants.findIndex(({ key }) => key === variant)
  return {
    conditions: conditions.map((condition) => compileCondition(condition, places)),
    percentage,
    variant: given < 0 ? undefined : given,
    isLast,
  }
}

function compileCondition(condition: Condition, places: ReadonlyMap<string, number>): CompiledCondition {
  if (condition.type === 'flag') {
    const place = places.get(condition.flag)
    return { condition, holds: (visitor) => visitor.isGiven(place, condition.value) }
  }
  const holds = conditionDecider(condition)
  if (condition.type !== 'group') return { condition, holds: (visitor) => holds(visitor, visitor.asked.now) }
  const { group = '' } = condition
  return {
    condition,
    // of a group that is not there, nothing can be said to be otherwise either
    holds: (visitor) => visitor.groupKey(group) !== undefined && holds(visitor, visitor.asked.now),
  }
}
