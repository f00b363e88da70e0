import type { CohortCondition, PropertyCondition } from '#filters/filter'
import { isLastKnownKey } from '#insights/compile/last-known'
import type { CohortDefinition } from '#persons/cohort'
import type { Condition } from './flag'

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
