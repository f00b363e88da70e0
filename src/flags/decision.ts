import type { Json } from '#events/event'
import type { Flag } from './flag'

/** The visitor whose flags are evaluated, with everything known at that moment. */
export interface EvaluationContext {
  distinctId: string
  deviceId: string | undefined
  /** The id before sign-in, while the SDK still sends it. */
  anonymousId: string | undefined
  /** The keys of their groups, by type. */
  groups: Readonly<Record<string, string>>
  /** The person's properties. Undefined if the look-up failed; then conditions on them are undecided. */
  person: KnownProperties
  /** The properties of their groups, by type. */
  groupProperties: Readonly<Record<string, KnownProperties>>
  /** Whether the person is in a cohort; 'unknown' if the look-up failed. */
  isIn: (cohort: string) => boolean | 'unknown'
  /** The id by which each flag first bucketed the person; undefined if the look-up failed. */
  keptIds: Readonly<Record<string, string>> | undefined
  now: Date
}

export interface KnownProperties {
  properties: Readonly<Record<string, Json>>
  /** Whether a missing property is known to be absent. */
  isAll: boolean
}

/** The value that one visitor gets, and the reason. */
export interface Decision {
  flag: Flag
  /** False: off. True: on without a variant. A text: the variant's key. */
  value: boolean | string
  /** JSON text. */
  payload: string | undefined
  reason: DecisionReason
}

export interface DecisionReason {
  code: DecisionReasonCode
  /** The index of the condition set. */
  condition: number | undefined
}

/** PostHog's codes, which SDKs and their users know, and one of Tilth's own for an undecided flag. */
export const reasonCodes = {
  condition_match: 'A condition set matched.',
  no_condition_match: 'No condition set matched.',
  out_of_rollout_bound: 'A condition set matched, but this visitor is not among its percentage.',
  no_group_type: 'The visitor came without the group that this flag is decided by.',
  super_condition_value: 'The visitor chose to take part, or not to.',
  holdout_condition_value: 'The visitor is held out.',
  flag_disabled: 'The flag is off in this environment.',
  missing_dependency: 'A flag that this one depends on is not there.',
  forced: 'A link for trying flags out says so, in this browser.',
  undecided: 'What is needed to decide could not be looked up.',
} as const
export type DecisionReasonCode = keyof typeof reasonCodes
