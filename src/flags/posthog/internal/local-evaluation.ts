import type { Json } from '#events/event'
import { conditionProblem, type PropertyCondition } from '#filters/filter'
import { readPattern } from '#filters/patterns'
import type { OperatorName } from '#filters/vocabulary'
import {
  cohortRequirements,
  type CohortRules,
  isByProperties,
  withNestedCohorts,
} from '../../internal/cohort-rules'
import {
  type Condition,
  type ConditionSet,
  type Flag,
  type FlagCondition,
  isForBrowsersOnly,
} from '../../flag'
import { dateForLocal, textsOf } from './values'
import { isAscii } from '../../internal/sdk-values'
import { setsOf, settingIn } from '../../internal/settings'

/** Whether `/flags/definitions` lists the flag. Servers do not request flags that only browsers get. */
export const isGivenToServers = (flag: Flag): boolean => !flag.archivedAt && !isForBrowsersOnly(flag)

interface LocalDecisionContext {
  environment: string
  flags: ReadonlyMap<string, Flag>
  cohorts: CohortRules
}

/**
 * Why SDKs must not evaluate this flag locally and must request it each time; undefined if they may. posthog-node
 * evaluates some conditions differently from Tilth, and a visitor must not get two decisions: such a flag is sent with
 * a condition that every SDK leaves to the server (`withServerConditions`).
 */
export function whyNotLocal(
  flag: Flag,
  environment: string,
  flags: readonly Flag[],
  cohorts: CohortRules = new Map(),
): string | undefined {
  return reasonsAgainstLocal(environment, flags, cohorts)(flag)
}

/** Creates the same function for many flags. */
export function reasonsAgainstLocal(
  environment: string,
  flags: readonly Flag[],
  cohorts: CohortRules,
): (flag: Flag) => string | undefined {
  const context = { environment, flags: new Map(flags.map((one) => [one.key, one])), cohorts }
  return (flag) => {
    for (const check of localDecisionChecks) {
      const reason = check(flag, context)
      if (reason !== undefined) return reason
    }
    return undefined
  }
}

type LocalDecisionCheck = (flag: Flag, around: LocalDecisionContext) => string | undefined

const localDecisionChecks: readonly LocalDecisionCheck[] = [
  ({ keepsThroughSignIn }) =>
    keepsThroughSignIn
      ? 'It keeps each person’s decision from before sign-in, which only Tilth stores.'
      : undefined,
  ({ earlyAccess }) =>
    earlyAccess ? 'People can opt in or out themselves, which only Tilth stores.' : undefined,
  (flag, { environment }) =>
    settingIn(flag, environment)?.layer ? 'It has a slice of a layer, which SDKs do not know.' : undefined,
  doubtAboutEnds,
  doubtAboutConditions,
  doubtAboutOrder,
]

function setsIn(flag: Flag, { environment }: LocalDecisionContext): readonly ConditionSet[] {
  const setting = settingIn(flag, environment)
  return setting ? setsOf(flag, setting) : []
}

const endsThere = ({ isLast, percentage }: ConditionSet): boolean => isLast && percentage < 100

function doubtAboutEnds(flag: Flag, context: LocalDecisionContext): string | undefined {
  const sets = setsIn(flag, context)
  const goesOn = sets.some(({ isLast, percentage }) => !isLast && percentage < 100)
  return goesOn && sets.some(({ isLast }) => isLast)
    ? 'Only some of its sets stop the evaluation for visitors outside their percentage; SDKs support that for all sets or none.'
    : undefined
}

/** An SDK skips a set that it cannot evaluate, and a later set may give another value. */
function doubtAboutOrder(flag: Flag, context: LocalDecisionContext): string | undefined {
  const sets = setsIn(flag, context)
  const isDoubtful = sets.some(
    (set, place) => set.conditions.length > 0 && sets.slice(place + 1).some((later) => isOther(set, later)),
  )
  return isDoubtful
    ? 'Its sets give different things, so an SDK that does not know everything of a person could go on to the wrong one.'
    : undefined
}

const isOther = (set: ConditionSet, later: ConditionSet): boolean =>
  later.percentage > 0 && (endsThere(set) || (set.percentage > 0 && set.variant !== later.variant))

function doubtAboutConditions(flag: Flag, context: LocalDecisionContext): string | undefined {
  for (const { conditions } of setsIn(flag, context)) {
    for (const condition of conditions) {
      const reason = doubtAboutCondition(condition, flag, context)
      if (reason !== undefined) return reason
    }
  }
  return undefined
}

function doubtAboutCondition(
  condition: Condition,
  flag: Flag,
  context: LocalDecisionContext,
): string | undefined {
  if (condition.type === 'flag') return doubtAboutDependency(condition, context)
  if (condition.type === 'cohort') return doubtAboutCohort(condition.cohort, flag, context)
  return doubtAboutSubject(condition, flag) ?? doubtAboutOperator(condition)
}

function doubtAboutDependency({ flag }: FlagCondition, { flags }: LocalDecisionContext): string | undefined {
  const other = flags.get(flag)
  return other && isGivenToServers(other)
    ? undefined
    : `It depends on the flag “${flag}”, which servers do not receive.`
}

const oneKind = 'SDKs look at the properties of persons or of one group, not at both for one flag.'

function doubtAboutCohort(
  id: string,
  { bucketBy }: Flag,
  { cohorts }: LocalDecisionContext,
): string | undefined {
  if (bucketBy.by === 'group') return oneKind
  for (const one of withNestedCohorts([id], cohorts)) {
    const rule = cohorts.get(one)
    if (!isByProperties(rule)) return 'It asks for a cohort whose members only Tilth knows.'
    for (const condition of cohortRequirements(rule).properties) {
      const reason = doubtAboutOperator(condition)
      if (reason !== undefined) return reason
    }
  }
  return undefined
}

function doubtAboutSubject({ type, group }: PropertyCondition, { bucketBy }: Flag): string | undefined {
  const isSame =
    type === 'group' ? bucketBy.by === 'group' && bucketBy.group === group : bucketBy.by !== 'group'
  return isSame ? undefined : oneKind
}

function doubtAboutOperator({ key, operator, value = null }: PropertyCondition): string | undefined {
  if (conditionProblem(operator, value) !== undefined)
    return isPatternOperator(operator) ? undefined : `Condition on “${key}”: it never matches.`
  const wanted = textsOf(value)
  const reason = operatorDoubts[operator]?.(Array.isArray(wanted) ? wanted : [wanted], value)
  return reason === undefined ? undefined : `Condition on “${key}”: ${reason}`
}

/** SDKs agree that no value matches an invalid pattern. */
const isPatternOperator = (operator: OperatorName): boolean =>
  operator === 'regex' || operator === 'not_regex'

/** `wanted` are the condition's values as texts, `value` is what the condition holds. */
type OperatorDoubt = (wanted: readonly string[], value: Json) => string | undefined

const lettersDoubt = 'SDKs compare letters beyond ASCII otherwise.'
const emptyDoubt = 'SDKs read an empty value (null) as the word “null”.'

/** Comes first, because null is a common value. */
const inWords =
  (meetsNull: (wanted: string) => boolean) =>
  (wanted: readonly string[]): string | undefined => {
    if (!isAscii([...wanted]) || wanted.some((one) => one.includes('\0'))) return lettersDoubt
    return wanted.some((one) => meetsNull(one.toLowerCase())) ? emptyDoubt : undefined
  }

const isWord = inWords((one) => one === 'null' || one === 'none')

const asWhole: OperatorDoubt = (wanted) => {
  if (wanted.some((one) => one.toLowerCase() === 'false'))
    return 'older SDKs take “false” for anything that is not true.'
  return wanted.some((one) => /^[[{]/.test(one))
    ? 'SDKs write lists and objects as text otherwise.'
    : isWord(wanted)
}

const asPattern: OperatorDoubt = ([pattern = '']) => {
  if (/\\[sSx]/.test(pattern)) return '\\s and \\x are not the same characters to SDKs.'
  const reading = readPattern(pattern)
  return 'pattern' in reading && reading.pattern.matches('null') ? emptyDoubt : undefined
}

const asContained = inWords((one) => 'null'.includes(one))
const asBeginning = inWords((one) => 'null'.startsWith(one))
const asEnd = inWords((one) => 'null'.endsWith(one))
const asOrdered: OperatorDoubt = (_wanted, value) =>
  typeof value === 'number' ? undefined : 'SDKs compare texts that look like numbers otherwise.'

const asMoment: OperatorDoubt = (_wanted, value) =>
  dateForLocal(value) === undefined ? 'SDKs read this date otherwise.' : undefined

const plainVersion = /^v?(?:0|[1-9]\d{0,14})(?:[.](?:0|[1-9]\d{0,14})){0,2}(?:[-+][\w.+-]*)?$/i
const plainVersions = /^v?(?:0|[1-9]\d{0,14})(?:[.](?:0|[1-9]\d{0,14}))?(?:[.][*])?$/i
const isOtherwise = 'SDKs read this version otherwise.'

const asVersion: OperatorDoubt = ([wanted = '']) => (plainVersion.test(wanted) ? undefined : isOtherwise)
const asVersions: OperatorDoubt = ([wanted = '']) => (plainVersions.test(wanted) ? undefined : isOtherwise)
const asUnknown: OperatorDoubt = () => 'SDKs do not know this comparison.'

/** The operators for which posthog-node may return another result; the others always agree. */
const operatorDoubts: Partial<Record<OperatorName, OperatorDoubt>> = {
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
  semver_wildcard: asVersions,
}
