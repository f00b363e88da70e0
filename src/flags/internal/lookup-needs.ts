import {
  cohortRequirements,
  filterRequirements,
  type CohortRequirements,
  type CohortRules,
  isByProperties,
  withNestedCohorts,
} from './cohort-rules'
import type { Flag, FlagSetting } from '../flag'
import { isOnIn, settingIn } from './settings'

/** The facts about a visitor that must be looked up before flags can be decided. */
export interface LookupNeeds {
  /** Keys of person properties. */
  person: ReadonlySet<string>
  /** Group types whose properties the conditions read. */
  groups: ReadonlySet<string>
  /** Cohorts that need a look-up. */
  cohorts: ReadonlySet<string>
  /** Flags that keep a person's decision from before sign-in. */
  keptIds: readonly string[]
}

export function lookupNeedsOf(
  flags: readonly Flag[],
  environment: string,
  cohorts: CohortRules,
): LookupNeeds {
  const on = flags.flatMap((flag) => {
    const setting = settingIn(flag, environment)
    return setting && isOnIn(flag, environment) ? [{ flag, setting }] : []
  })
  const lookups = on.flatMap(({ setting }) => requirementsIn(setting))
  const named = withNestedCohorts(
    lookups.flatMap((one) => one.cohorts),
    cohorts,
  )
  const inCohorts = [...named].map((id) => cohortRequirements(cohorts.get(id)))
  const properties = [...lookups, ...inCohorts].flatMap((one) => one.properties)
  return {
    person: new Set([
      ...properties.filter(({ type }) => type === 'person').map(({ key }) => key),
      ...on.flatMap(({ flag }) => (flag.earlyAccess ? [enrolmentOf(flag.key)] : [])),
    ]),
    groups: new Set(properties.flatMap(({ type, group }) => (type === 'group' && group ? [group] : []))),
    cohorts: new Set([...named].filter((id) => !isByProperties(cohorts.get(id)))),
    keptIds: on.flatMap(({ flag }) => (flag.keepsThroughSignIn ? [flag.key] : [])),
  }
}

function requirementsIn({ conditions }: FlagSetting): CohortRequirements[] {
  return conditions
    .flatMap((set) => set.conditions)
    .flatMap((one) => (one.type === 'flag' ? [] : [filterRequirements(one)]))
}

/** The person property in which a visitor's opt-in or opt-out is stored. */
export const enrolmentOf = (key: string): string => `$feature_enrollment/${key}`
