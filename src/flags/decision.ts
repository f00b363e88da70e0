import type { Json } from '../events/event'
import type { Flag } from './flag'

/** About whom flags are asked, and what is known of them by now. */
export interface Asked {
  distinctId: string
  deviceId: string | undefined
  /** Who they were before they signed in, while an SDK still says so. */
  anonymousId: string | undefined
  /** Their groups' keys, by type. */
  groups: Readonly<Record<string, string>>
  /** What is known of the person; undefined where nobody could be asked, so that nothing is known for sure. */
  person: Known
  /** The same of their groups, by type. */
  groupProperties: Readonly<Record<string, Known>>
  /** The cohorts they are in. Undecided where nobody could be asked. */
  isIn: (cohort: string) => boolean | 'unknown'
  /** Under which id they were counted when they first came, by flag; undefined where nobody could be asked. */
  keptIds: Readonly<Record<string, string>> | undefined
  now: Date
}

export interface Known {
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
  reason: Reason
}

export interface Reason {
  code: ReasonCode
  /** Which condition set it was, from 0. */
  condition: number | undefined
}

/** PostHog's codes, by which SDKs and the field know them, and one of ours where the truth cannot be told. */
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
export type ReasonCode = keyof typeof reasonCodes
