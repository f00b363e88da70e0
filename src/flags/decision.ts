import type { Json } from '#events/event'
import type { Flag } from './flag'

/** The visitor whose flags are evaluated, and what is known of them at that moment. */
export interface EvaluationContext {
  distinctId: string
  deviceId: string | undefined
  /** The id before sign-in, while the SDK still sends it. */
  anonymousId: string | undefined
  /** Their groups' keys, by type. */
  groups: Readonly<Record<string, string>>
  /** The person's properties. Undefined where the lookup failed, so that nothing is certain. */
  person: KnownProperties
  /** The same of their groups, by type. */
  groupProperties: Readonly<Record<string, KnownProperties>>
  /** Whether the person is in a cohort. 'unknown' where the lookup failed. */
  isIn: (cohort: string) => boolean | 'unknown'
  /** The id that each flag first bucketed the person by; undefined where the lookup failed. */
  keptIds: Readonly<Record<string, string>> | undefined
  now: Date
}

export interface KnownProperties {
  properties: Readonly<Record<string, Json>>
  /** Whether what is not among them is known not to be there. */
  isAll: boolean
}

/** What one visitor got, and why. */
export interface Decision {
  flag: Flag
  /** False: off. True: on, without a variant. A text: the variant's key. */
  value: boolean | string
  /** JSON as text. */
  payload: string | undefined
  reason: DecisionReason
}

export interface DecisionReason {
  code: DecisionReasonCode
  /** Which condition set it was, from 0. */
  condition: number | undefined
}

/** PostHog's codes, which SDKs and their users know, and one of Tilth's own for a decision that could not be made. */
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
