import type { CohortCondition, Filter, PropertyCondition } from '../filters/filter'
import { operators } from '../filters/operators'
import type { CohortDefinition } from '../persons/cohort'
import type { Condition } from './flag'

/** Whom conditions are about, in the words of cohorts, as far as events can tell. */
export interface About {
  definition: CohortDefinition
  /** A sentence for each condition that is not in it. */
  left: string[]
}

/**
 * What requests tell of themselves when flags are decided, and every event of old ones still says. Who has been seen with
 * it counts, since whoever comes that way gets the flag then.
 */
const toldByRequests =
  /^\$(?:geoip_\w+|browser(?:_version|_language)?|os(?:_version)?|device_type|device|raw_user_agent)$/

/** All of them must hold for somebody, what requests tell at one and the same time. */
export function definitionOf(conditions: readonly Condition[], days: number): About {
  const requested: Filter[] = []
  const known: PropertyCondition[] = []
  const cohorts: CohortDefinition[] = []
  const left: string[] = []
  for (const condition of conditions) {
    if (condition.type === 'flag') left.push(leftOut.flag(condition.flag))
    else if (condition.type === 'cohort') cohorts.push(memberOf(condition))
    else if (condition.type !== 'person') left.push(leftOut.group(condition.key))
    else if (toldByRequests.test(condition.key)) requested.push(...seenWith(condition))
    else known.push(condition)
  }
  const parts: CohortDefinition[] = [
    ...(requested.length > 0 ? [seenIn(days, { all: requested })] : []),
    ...(known.length > 0 ? [{ is: { all: known } }] : []),
    ...cohorts,
  ]
  return { definition: parts.length > 0 ? { all: parts } : seenIn(days), left }
}

const seenIn = (days: number, filter?: Filter): CohortDefinition => ({
  did: { event: null, ...(filter && { filter }) },
  within: { days },
})

const memberOf = ({ cohort, operator }: CohortCondition): CohortDefinition =>
  operator === 'in' ? { in: cohort } : { not: { in: cohort } }

/** An event that a server sent says nothing of a browser; that is no browser other than the unwanted one. */
function seenWith(condition: PropertyCondition): Filter[] {
  const seen: PropertyCondition = { ...condition, type: 'event' }
  if (!operators[condition.operator].otherwise || condition.operator === 'is_not_set') return [seen]
  return [seen, { type: 'event', key: condition.key, operator: 'is_set' }]
}

const leftOut = {
  flag: (key: string) => `Whom “${key}” is given to is not counted here.`,
  group: (key: string) => `What is known of groups is not counted here (“${key}”).`,
}
