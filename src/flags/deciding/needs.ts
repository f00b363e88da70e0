import {
  askedBy,
  askedByFilter,
  type Asking,
  type CohortRules,
  isByProperties,
  withAllInside,
} from '../cohort-rules'
import type { Flag, Setting } from '../flag'
import { isOnIn, settingIn } from './settings'

/** What has to be known about a visitor before flags can be decided. */
export interface Needs {
  /** Keys of properties of persons. */
  person: ReadonlySet<string>
  /** Types of groups whose properties matter. */
  groups: ReadonlySet<string>
  /** Cohorts that properties do not decide. */
  cohorts: ReadonlySet<string>
  /** Flags that keep what somebody got before they signed in. */
  keptIds: readonly string[]
}

export function needsOf(flags: readonly Flag[], environment: string, cohorts: CohortRules): Needs {
  const on = flags.flatMap((flag) => {
    const setting = settingIn(flag, environment)
    return setting && isOnIn(flag, environment) ? [{ flag, setting }] : []
  })
  const asked = on.flatMap(({ setting }) => askedIn(setting))
  const named = withAllInside(
    asked.flatMap((one) => one.cohorts),
    cohorts,
  )
  const inCohorts = [...named].map((id) => askedBy(cohorts.get(id)))
  const properties = [...asked, ...inCohorts].flatMap((one) => one.properties)
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

function askedIn({ conditions }: Setting): Asking[] {
  return conditions
    .flatMap((set) => set.conditions)
    .flatMap((one) => (one.type === 'flag' ? [] : [askedByFilter(one)]))
}

/** The property of a person that says whether they take part by themselves. */
export const enrolmentOf = (key: string): string => `$feature_enrollment/${key}`
