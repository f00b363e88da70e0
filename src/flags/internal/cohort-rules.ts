import type { FilterAnswer, CompiledFilter, Filter, PropertyCondition } from '#filters/filter'
import type { CohortDefinition } from '#persons/cohort'
import { compiledConditionOf } from './property-conditions'

/** A cohort's membership rule: its definition, or undefined for a cohort of hand-picked persons. */
export type CohortRule = CohortDefinition | undefined
export type CohortRules = ReadonlyMap<string, CohortRule>

/** Whether a person's properties alone decide the cohort, without their events. */
export function isByProperties(rule: CohortRule): rule is CohortDefinition {
  if (!rule) return false
  if ('all' in rule) return rule.all.every(isByProperties)
  if ('any' in rule) return rule.any.every(isByProperties)
  if ('not' in rule) return isByProperties(rule.not)
  return 'is' in rule || 'in' in rule
}

/** Compiles a cohort that properties decide. Returns undefined for one that needs a query for its members. */
export function compileCohort(rule: CohortRule): CompiledFilter | undefined {
  return isByProperties(rule) ? compileRule(rule) : undefined
}

function compileRule(rule: CohortDefinition | Filter): CompiledFilter {
  if ('all' in rule) return everyOf(rule.all.map(compileRule))
  if ('any' in rule) return not(everyOf(rule.any.map((one) => not(compileRule(one)))))
  if ('not' in rule) return not(compileRule(rule.not))
  if ('is' in rule) return compileRule(rule.is)
  if ('type' in rule) return compiledConditionOf(rule)
  return 'in' in rule
    ? compiledConditionOf({ type: 'cohort', cohort: rule.in, operator: 'in' })
    : alwaysUnknown
}

/** Rules about events cannot be evaluated in memory. */
const alwaysUnknown: CompiledFilter = () => 'unknown'

const not =
  (decider: CompiledFilter): CompiledFilter =>
  (subject, now) => {
    const answer = decider(subject, now)
    return answer === 'unknown' ? answer : !answer
  }

function everyOf(deciders: readonly CompiledFilter[]): CompiledFilter {
  return (subject, now) => {
    let all: FilterAnswer = true
    for (const decide of deciders) {
      const one = decide(subject, now)
      if (one === false) return false
      if (one === 'unknown') all = one
    }
    return all
  }
}

/** The properties and other cohorts that a cohort's definition reads. */
export interface CohortRequirements {
  properties: PropertyCondition[]
  cohorts: string[]
}

export function cohortRequirements(rule: CohortRule): CohortRequirements {
  if (!isByProperties(rule)) return { properties: [], cohorts: [] }
  if ('all' in rule) return combineRequirements(rule.all.map(cohortRequirements))
  if ('any' in rule) return combineRequirements(rule.any.map(cohortRequirements))
  if ('not' in rule) return cohortRequirements(rule.not)
  if ('in' in rule) return { properties: [], cohorts: [rule.in] }
  return 'is' in rule ? filterRequirements(rule.is) : { properties: [], cohorts: [] }
}

export function filterRequirements(filter: Filter): CohortRequirements {
  if ('all' in filter) return combineRequirements(filter.all.map(filterRequirements))
  if ('any' in filter) return combineRequirements(filter.any.map(filterRequirements))
  return filter.type === 'cohort'
    ? { properties: [], cohorts: [filter.cohort] }
    : { properties: [filter], cohorts: [] }
}

const combineRequirements = (parts: readonly CohortRequirements[]): CohortRequirements => ({
  properties: parts.flatMap(({ properties }) => properties),
  cohorts: parts.flatMap(({ cohorts }) => cohorts),
})

/** Returns these cohorts and all cohorts that they use, each once, so that a cycle ends. */
export function withNestedCohorts(cohorts: Iterable<string>, rules: CohortRules): Set<string> {
  const found = new Set(cohorts)
  for (const id of found) for (const inner of cohortRequirements(rules.get(id)).cohorts) found.add(inner)
  return found
}
