import type { Answer, Decider, Filter, PropertyCondition } from '../filters/filter'
import type { CohortDefinition } from '../persons/cohort'
import { conditionDecider } from './deciding/property-conditions'

/** Who is in a cohort: by its definition, or picked one by one when undefined. */
export type CohortRule = CohortDefinition | undefined
export type CohortRules = ReadonlyMap<string, CohortRule>

/** Whether it can be decided by what is known of somebody, whatever they did. */
export function isByProperties(rule: CohortRule): rule is CohortDefinition {
  if (!rule) return false
  if ('all' in rule) return rule.all.every(isByProperties)
  if ('any' in rule) return rule.any.every(isByProperties)
  if ('not' in rule) return isByProperties(rule.not)
  return 'is' in rule || 'in' in rule
}

/** How it is decided; undefined where somebody has to be asked who is in it. */
export function cohortDecider(rule: CohortRule): Decider | undefined {
  return isByProperties(rule) ? deciderOf(rule) : undefined
}

function deciderOf(rule: CohortDefinition | Filter): Decider {
  if ('all' in rule) return everyOf(rule.all.map(deciderOf))
  if ('any' in rule) return not(everyOf(rule.any.map((one) => not(deciderOf(one)))))
  if ('not' in rule) return not(deciderOf(rule.not))
  if ('is' in rule) return deciderOf(rule.is)
  if ('type' in rule) return conditionDecider(rule)
  return 'in' in rule ? conditionDecider({ type: 'cohort', cohort: rule.in, operator: 'in' }) : nobodyKnows
}

/** Of what somebody did, nothing is known here. */
const nobodyKnows: Decider = () => 'unknown'

const not =
  (decider: Decider): Decider =>
  (subject, now) => {
    const answer = decider(subject, now)
    return answer === 'unknown' ? answer : !answer
  }

function everyOf(deciders: readonly Decider[]): Decider {
  return (subject, now) => {
    let all: Answer = true
    for (const decide of deciders) {
      const one = decide(subject, now)
      if (one === false) return false
      if (one === 'unknown') all = one
    }
    return all
  }
}

/** What a cohort asks of those who might be in it: properties, and other cohorts. */
export interface Asking {
  properties: PropertyCondition[]
  cohorts: string[]
}

export function askedBy(rule: CohortRule): Asking {
  if (!isByProperties(rule)) return { properties: [], cohorts: [] }
  if ('all' in rule) return together(rule.all.map(askedBy))
  if ('any' in rule) return together(rule.any.map(askedBy))
  if ('not' in rule) return askedBy(rule.not)
  if ('in' in rule) return { properties: [], cohorts: [rule.in] }
  return 'is' in rule ? askedByFilter(rule.is) : { properties: [], cohorts: [] }
}

export function askedByFilter(filter: Filter): Asking {
  if ('all' in filter) return together(filter.all.map(askedByFilter))
  if ('any' in filter) return together(filter.any.map(askedByFilter))
  return filter.type === 'cohort'
    ? { properties: [], cohorts: [filter.cohort] }
    : { properties: [filter], cohorts: [] }
}

const together = (parts: readonly Asking[]): Asking => ({
  properties: parts.flatMap(({ properties }) => properties),
  cohorts: parts.flatMap(({ cohorts }) => cohorts),
})

/** These cohorts and all that they are made with. Each once, so that a circle ends. */
export function withAllInside(cohorts: Iterable<string>, rules: CohortRules): Set<string> {
  const found = new Set(cohorts)
  for (const id of found) for (const inner of askedBy(rules.get(id)).cohorts) found.add(inner)
  return found
}
