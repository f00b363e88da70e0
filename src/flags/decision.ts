import type { z } from 'zod'
import type { Unchanging } from '#collection/unchanging'
import type { Json } from '#events/event'
import type { Condition } from './flag'
import type { decisionSchema } from './decision-schema'

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

/** The type of the schema in `decision-schema`, for code that goes to browsers without it. */
export type Decision = Unchanging<z.infer<typeof decisionSchema>, Condition>

/** PostHog's codes, which SDKs and their users know, and Tilth's own for an undecided flag and for layers. */
export const reasonCodes = {
  condition_match: 'A condition set matched.',
  no_condition_match: 'No condition set matched.',
  out_of_rollout_bound: 'A condition set matched, but the visitor is outside its rollout.',
  no_group_type: 'The visitor has no group of the type this flag is bucketed by.',
  super_condition_value: 'The visitor opted in or out of early access.',
  holdout_condition_value: 'The visitor is held out.',
  outside_layer_slice: 'The visitor is not in the flag’s slice of its layer.',
  flag_disabled: 'The flag is off in this environment.',
  missing_dependency: 'A flag this one depends on does not exist.',
  forced: 'A preview link forces the value in this browser.',
  undecided: 'Data for the evaluation could not be loaded.',
} as const
export type DecisionReasonCode = keyof typeof reasonCodes
