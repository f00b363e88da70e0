import type { PropertyCondition } from '../../filters/filter'
import { readPattern } from '../../filters/patterns'
import type { OperatorName } from '../../filters/vocabulary'
import { askedBy, type CohortRules, isByProperties, withAllInside } from '../cohort-rules'
import type { Condition, ConditionSet, Flag, FlagCondition } from '../flag'
import { textsOf } from './values'
import { isAscii } from '../deciding/sdk-reading'
import { setsOf, settingIn } from '../deciding/settings'

/** Whether `/flags/definitions` tells of it: what only browsers get, no server asks for. */
export const isGivenToServers = ({ archivedAt, servedTo }: Flag): boolean =>
  !archivedAt && servedTo !== 'browsers'

interface Surroundings {
  environment: string
  flags: ReadonlyMap<string, Flag>
  cohorts: CohortRules
}

/**
 * Why SDKs do not decide this flag by themselves and ask us each time; undefined where they do. posthog-node decides some
 * conditions otherwise than Tilth, and nobody must get two answers: such a flag says that it keeps what people got before
 * they signed in, which makes every SDK ask.
 */
export function whyNotLocal(
  flag: Flag,
  environment: string,
  flags: readonly Flag[],
  cohorts: CohortRules = new Map(),
): string | undefined {
  return reasonsAgainst(environment, flags, cohorts)(flag)
}

/** The same for one flag after another. */
export function reasonsAgainst(
  environment: string,
  flags: readonly Flag[],
  cohorts: CohortRules,
): (flag: Flag) => string | undefined {
  const around = { environment, flags: new Map(flags.map((one) => [one.key, one])), cohorts }
  return (flag) => {
    for (const look of looks) {
      const reason = look(flag, around)
      if (reason !== undefined) return reason
    }
    return undefined
  }
}

type Look = (flag: Flag, around: Surroundings) => string | undefined

const looks: readonly Look[] = [
  ({ keepsThroughSignIn }) =>
    keepsThroughSignIn
      ? 'It keeps what somebody got before they signed in, which only Tilth knows.'
      : undefined,
  ({ earlyAccess }) =>
    earlyAccess ? 'People may take part by themselves, which only Tilth knows.' : undefined,
  aboutEnds,
  aboutConditions,
  aboutOrder,
]

function setsIn(flag: Flag, { environment }: Surroundings): readonly ConditionSet[] {
  const setting = settingIn(flag, environment)
  return setting ? setsOf(flag, setting) : []
}

const endsThere = ({ isLast, percentage }: ConditionSet): boolean => isLast && percentage < 100

function aboutEnds(flag: Flag, around: Surroundings): string | undefined {
  const sets = setsIn(flag, around)
  const goesOn = sets.some(({ isLast, percentage }) => !isLast && percentage < 100)
  return goesOn && sets.some(({ isLast }) => isLast)
    ? 'Some of its sets are the last for whoever fits and some are not; SDKs know that of all sets or none.'
    : undefined
}

/** A set an SDK cannot answer is passed over by it, and what comes after may give something else. */
function aboutOrder(flag: Flag, around: Surroundings): string | undefined {
  const sets = setsIn(flag, around)
  const isDoubtful = sets.some(
    (set, place) => set.conditions.length > 0 && sets.slice(place + 1).some((later) => isOther(set, later)),
  )
  return isDoubtful
    ? 'Its sets give different things, so an SDK that does not know everything of a person could go on to the wrong one.'
    : undefined
}

const isOther = (set: ConditionSet, later: ConditionSet): boolean =>
  later.percentage > 0 && (endsThere(set) || (set.percentage > 0 && set.variant !== later.variant))

function aboutConditions(flag: Flag, around: Surroundings): string | undefined {
  for (const { conditions } of setsIn(flag, around)) {
    for (const condition of conditions) {
      const reason = aboutCondition(condition, flag, around)
      if (reason !== undefined) return reason
    }
  }
  return undefined
}

function aboutCondition(condition: Condition, flag: Flag, around: Surroundings): string | undefined {
  if (condition.type === 'flag') return aboutDependency(condition, around)
  if (condition.type === 'cohort') return aboutCohort(condition.cohort, flag, around)
  return aboutWhom(condition, flag) ?? aboutOperator(condition)
}

function aboutDependency({ flag }: FlagCondition, { flags }: Surroundings): string | undefined {
  const other = flags.get(flag)
  return other && isGivenToServers(other)
    ? undefined
    : `It depends on the flag “${flag}”, which servers are not told of.`
}

const oneKind = 'SDKs look at the properties of persons or of one group, not at both for one flag.'

function aboutCohort(id: string, { bucketBy }: Flag, { cohorts }: Surroundings): string | undefined {
  if (bucketBy.by === 'group') return oneKind
  for (const one of withAllInside([id], cohorts)) {
    const rule = cohorts.get(one)
    if (!isByProperties(rule)) return 'It asks for a cohort whose members only Tilth knows.'
    for (const condition of askedBy(rule).properties) {
      const reason = aboutOperator(condition)
      if (reason !== undefined) return reason
    }
  }
  return undefined
}

function aboutWhom({ type, group }: PropertyCondition, { bucketBy }: Flag): string | undefined {
  const isSame =
    type === 'group' ? bucketBy.by === 'group' && bucketBy.group === group : bucketBy.by !== 'group'
  return isSame ? undefined : oneKind
}

function aboutOperator({ key, operator, value = null }: PropertyCondition): string | undefined {
  const wanted = textsOf(value)
  const reason = doubts[operator]?.(Array.isArray(wanted) ? wanted : [wanted])
  return reason === undefined ? undefined : `Condition on “${key}”: ${reason}`
}

type Doubt = (wanted: readonly string[]) => string | undefined

const letters = 'SDKs compare letters beyond ASCII otherwise.'
const empty = 'SDKs read an empty value (null) as the word “null”.'

/** Before anything else, because a value that is null is one that many have. */
const inWords =
  (meetsNull: (wanted: string) => boolean): Doubt =>
  (wanted) => {
    if (!isAscii([...wanted]) || wanted.some((one) => one.includes('\0'))) return letters
    return wanted.some((one) => meetsNull(one.toLowerCase())) ? empty : undefined
  }

const isWord = inWords((one) => one === 'null' || one === 'none')

const asWhole: Doubt = (wanted) => {
  if (wanted.some((one) => one.toLowerCase() === 'false'))
    return 'older SDKs take “false” for anything that is not true.'
  return wanted.some((one) => /^[[{]/.test(one))
    ? 'SDKs write lists and objects as text otherwise.'
    : isWord(wanted)
}

const asPattern: Doubt = ([pattern = '']) => {
  if (/\\[sSx]/.test(pattern)) return '\\s and \\x are not the same characters to SDKs.'
  const reading = readPattern(pattern)
  return 'pattern' in reading && reading.pattern.matches('null') ? empty : undefined
}

const asContained = inWords((one) => 'null'.includes(one))
const asBeginning = inWords((one) => 'null'.startsWith(one))
const asEnd = inWords((one) => 'null'.endsWith(one))
const asOrdered: Doubt = () => 'SDKs compare texts that look like numbers otherwise.'
const asMoment: Doubt = () => 'SDKs read dates by the clock of the machine they run on.'
const asVersion: Doubt = () => 'SDKs accept as versions what Tilth does not.'
const asUnknown: Doubt = () => 'SDKs do not know this comparison.'

/** By operator, where posthog-node may come to another answer than we do; it may not of those that are absent. */
const doubts: Partial<Record<OperatorName, Doubt>> = {
  exact: asWhole,
  is_not: asWhole,
  icontains: asContained,
  not_icontains: asContained,
  starts_with: asBeginning,
  not_starts_with: asBeginning,
  ends_with: asEnd,
  not_ends_with: asEnd,
  regex: asPattern,
  not_regex: asPattern,
  gt: asOrdered,
  gte: asOrdered,
  lt: asOrdered,
  lte: asOrdered,
  between: asUnknown,
  is_date_before: asMoment,
  is_date_after: asMoment,
  is_date_exact: asUnknown,
  semver_eq: asVersion,
  semver_neq: asVersion,
  semver_gt: asVersion,
  semver_gte: asVersion,
  semver_lt: asVersion,
  semver_lte: asVersion,
  semver_tilde: asVersion,
  semver_caret: asVersion,
  semver_wildcard: asVersion,
}
