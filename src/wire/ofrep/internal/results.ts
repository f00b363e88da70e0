import type { Json } from '#events/event'
import type { Decision, DecisionReasonCode } from '#flags/decision'
import type { ConditionSet } from '#flags/flag'
import { memoizePerDecision } from '../../internal/memoize-per-decision'

/** The protocol's reasons. */
type OfrepReason = 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED' | 'DEFAULT'

/** The result of one flag for one visitor, or its error. */
interface OfrepResult {
  key: string
  /** Omitted if the program's own default applies. */
  value?: Json
  reason?: OfrepReason
  variant?: string
  metadata?: Readonly<Record<string, string | number | boolean>>
  errorCode?: 'GENERAL'
  errorDetails?: string
}

/** The result of a flag requested by key. Current providers treat a result without a value as a server error. */
export function resultOf(decision: Decision, environment: string): OfrepResult {
  const result = shortResultOf(decision, environment)
  return result.errorCode === undefined && result.value === undefined ? { ...result, value: false } : result
}

/** The result of one flag among many, as JSON text. */
export const serializedResult = memoizePerDecision((decision, environment) =>
  JSON.stringify(shortResultOf(decision, environment)),
)

function shortResultOf(decision: Decision, environment: string): OfrepResult {
  const { flag, value, payload, reason } = decision
  if (reason.code === 'undecided') return undecided(flag.key)
  const resultValue = valueOf(decision)
  return {
    key: flag.key,
    ...(resultValue !== undefined && { value: resultValue }),
    reason: reasonOf(decision, flag.environments[environment]?.conditions[reason.condition ?? -1]),
    ...(typeof value === 'string' && { variant: value }),
    metadata: {
      flagId: flag.id,
      version: flag.version,
      // hooks report it as an exposure; a value forced by a preview link is none
      ...(reason.code !== 'forced' && { exposure: value }),
      // the payload of a configuration is its value
      ...(payload !== undefined && flag.kind !== 'config' && { payload }),
    },
  }
}

const undecided = (key: string): OfrepResult => ({
  key,
  errorCode: 'GENERAL',
  errorDetails: 'A lookup that this decision needs failed. Try again in a moment.',
})

/** Returns undefined if the flag has no value for the visitor, so that the program's default applies. */
function valueOf({ flag, value, payload }: Decision): Json | undefined {
  if (flag.kind === 'switch') return value === true
  if (value === false) return undefined
  if (flag.kind === 'variants') return value
  // payloads were validated as JSON when they were stored
  return payload === undefined ? undefined : (JSON.parse(payload) as Json)
}

/** The protocol's reason for each of ours; `condition_match` depends on the condition set. */
const reasons: Record<Exclude<DecisionReasonCode, 'condition_match' | 'undecided'>, OfrepReason> = {
  no_condition_match: 'DEFAULT',
  out_of_rollout_bound: 'SPLIT',
  no_group_type: 'DEFAULT',
  super_condition_value: 'TARGETING_MATCH',
  holdout_condition_value: 'SPLIT',
  outside_layer_slice: 'SPLIT',
  flag_disabled: 'DISABLED',
  missing_dependency: 'DEFAULT',
  forced: 'TARGETING_MATCH',
}

function reasonOf(
  { value, reason: { code } }: Decision,
  conditionSet: ConditionSet | undefined,
): OfrepReason {
  if (code !== 'condition_match' && code !== 'undecided') return reasons[code]
  const isSplit =
    conditionSet !== undefined &&
    (conditionSet.percentage < 100 || (typeof value === 'string' && conditionSet.variant !== value))
  if (isSplit) return 'SPLIT'
  return conditionSet === undefined || conditionSet.conditions.length === 0 ? 'STATIC' : 'TARGETING_MATCH'
}
