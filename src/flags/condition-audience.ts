import type { CohortCondition, Filter, PropertyCondition } from '#filters/filter'
import { operators } from '#filters/operators'
import type { CohortDefinition } from '#persons/cohort'
import type { Condition } from './flag'

/** The people a condition set applies to, as a cohort definition, as far as events can tell. */
interface ConditionAudience {
  definition: CohortDefinition
  /** A sentence for each condition that is left out. */
  left: string[]
}

/**
 * Properties that flag requests have and that stored events have too. A person counts if any of their events has the
 * value, because a similar request gets the flag.
 */
const requestProperties =
  /^\$(?:geoip_\w+|browser(?:_version|_language)?|os(?:_version)?|device_type|device|raw_user_agent)$/

/** All conditions must hold for a person; those on request properties must hold for the same event. */
export function audienceOf(conditions: readonly Condition[], days: number): ConditionAudience {
  const requested: Filter[] = []
  const known: PropertyCondition[] = []
  const cohorts: CohortDefinition[] = []
  const left: string[] = []
  for (const condition of conditions) {
    if (condition.type === 'flag') left.push(notCounted.flag(condition.flag))
    else if (condition.type === 'cohort') cohorts.push(memberOf(condition))
    else if (condition.type !== 'person') left.push(notCounted.group(condition.key))
    else if (requestProperties.test(condition.key)) requested.push(...eventFilters(condition))
    else known.push(condition)
  }
  const parts: CohortDefinition[] = [
    ...(requested.length > 0 ? [activeWithin(days, { all: requested })] : []),
    ...(known.length > 0 ? [{ is: { all: known } }] : []),
    ...cohorts,
  ]
  return { definition: parts.length > 0 ? { all: parts } : activeWithin(days), left }
}

const activeWithin = (days: number, filter?: Filter): CohortDefinition => ({
  did: { event: null, ...(filter && { filter }) },
  within: { days },
})

const memberOf = ({ cohort, operator }: CohortCondition): CohortDefinition =>
  operator === 'in' ? { in: cohort } : { not: { in: cohort } }

/** Events from servers have no browser; "is not" conditions must not match them because of that. */
function eventFilters(condition: PropertyCondition): Filter[] {
  const seen: PropertyCondition = { ...condition, type: 'event' }
  if (!operators[condition.operator].otherwise || condition.operator === 'is_not_set') return [seen]
  return [seen, { type: 'event', key: condition.key, operator: 'is_set' }]
}

const notCounted = {
  flag: (key: string) => `This count ignores the condition on flag “${key}”.`,
  group: (key: string) => `This count ignores conditions on groups (“${key}”).`,
}
