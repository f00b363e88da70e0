import type { Json } from '../../events/event'
import type { Decision, ReasonCode } from '../../flags/decision'
import type { ConditionSet } from '../../flags/flag'
import { saidOnce } from '../said-once'

/** The protocol's reasons. */
type Reason = 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED' | 'DEFAULT'

/** What one flag is for one visitor, or why nobody can say. */
interface Result {
  key: string
  /** Left out where the program's own default is to hold. */
  value?: Json
  reason?: Reason
  variant?: string
  metadata?: Readonly<Record<string, string | number | boolean>>
  errorCode?: 'GENERAL'
  errorDetails?: string
}

/** Of one flag that was asked for by name. Providers in use take an answer without a value for a mistake of ours. */
export function resultOf(decision: Decision, environment: string): Result {
  const result = shortResultOf(decision, environment)
  return result.errorCode === undefined && result.value === undefined ? { ...result, value: false } : result
}

/** Of one among many, as the text it becomes. */
export const resultText = saidOnce((decision, environment) =>
  JSON.stringify(shortResultOf(decision, environment)),
)

function shortResultOf(decision: Decision, environment: string): Result {
  const { flag, value, payload, reason } = decision
  if (reason.code === 'undecided') return undecided(flag.key)
  const given = valueOf(decision)
  return {
    key: flag.key,
    ...(given !== undefined && { value: given }),
    reason: reasonOf(decision, flag.environments[environment]?.conditions[reason.condition ?? -1]),
    ...(typeof value === 'string' && { variant: value }),
    metadata: {
      flagId: flag.id,
      version: flag.version,
      // of a configuration it is the value itself
      ...(payload !== undefined && flag.kind !== 'config' && { payload }),
    },
  }
}

const undecided = (key: string): Result => ({
  key,
  errorCode: 'GENERAL',
  errorDetails: 'What is needed to decide could not be looked up. Ask again in a moment.',
})

/** Where a flag says nothing of the kind that programs ask it for, their own default holds. */
function valueOf({ flag, value, payload }: Decision): Json | undefined {
  if (flag.kind === 'switch') return value === true
  if (value === false) return undefined
  if (flag.kind === 'variants') return value
  // payloads are JSON, as whoever wrote them was held to
  return payload === undefined ? undefined : (JSON.parse(payload) as Json)
}

/** The protocol's word for each of ours; how a set of conditions was met needs a look at the set. */
const reasons: Record<Exclude<ReasonCode, 'condition_match' | 'undecided'>, Reason> = {
  no_condition_match: 'DEFAULT',
  out_of_rollout_bound: 'SPLIT',
  no_group_type: 'DEFAULT',
  super_condition_value: 'TARGETING_MATCH',
  holdout_condition_value: 'SPLIT',
  flag_disabled: 'DISABLED',
  missing_dependency: 'DEFAULT',
  forced: 'TARGETING_MATCH',
}

function reasonOf({ value, reason: { code } }: Decision, met: ConditionSet | undefined): Reason {
  if (code !== 'condition_match' && code !== 'undecided') return reasons[code]
  const isShared =
    met !== undefined && (met.percentage < 100 || (typeof value === 'string' && met.variant !== value))
  if (isShared) return 'SPLIT'
  return met === undefined || met.conditions.length === 0 ? 'STATIC' : 'TARGETING_MATCH'
}
