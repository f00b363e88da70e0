import type { CohortCondition, PropertyCondition } from '#filters/filter'

/** A feature flag of a project: its possible values, and the rules of each environment that choose between them. */
export interface Flag {
  /** SDKs also identify flags by number. */
  id: number
  projectId: number
  /** The key that code uses. It never changes. */
  key: string
  description: string
  tags: readonly string[]
  /** The member to contact about the flag. */
  owner: string
  kind: FlagKind
  /** In the order of their shares; empty if the flag is only on or off. */
  variants: readonly Variant[]
  /** JSON texts by value: a variant's key, or "true" for a flag without variants. */
  payloads: Readonly<Record<string, string>>
  /** Whether it is a configuration only for servers with a secret key: stored encrypted, never sent to browsers. */
  isSecret: boolean
  bucketBy: BucketBy
  /** Whether a person keeps the decision from before sign-in. */
  keepsThroughSignIn: boolean
  servedTo: 'everybody' | 'browsers' | 'servers'
  /** If an SDK names contexts, it gets flags that share one with it; a flag without contexts is served to all. */
  contexts: readonly string[]
  /** Set if people may opt in. */
  earlyAccess?: EarlyAccess | undefined
  hasExperiment: boolean
  /** The id of the survey that keeps the flag. Such a flag is not listed and changes only with its survey. */
  keptBySurvey?: string | undefined
  /** Settings by the name of the environment; in an environment without one the flag is off. */
  environments: Readonly<Record<string, FlagSetting>>
  /** The number of changes. */
  version: number
  createdBy: string
  createdAt: Date
  changedAt: Date
  archivedAt: Date | undefined
}

/** On or off, one of several variants, or a configuration, which is the same for all visitors. */
export const flagKinds = ['switch', 'variants', 'config'] as const
export type FlagKind = (typeof flagKinds)[number]

export interface Variant {
  key: string
  name: string
  /** Share of the people who are let in. The variants' shares add up to 100. */
  percentage: number
}

export type BucketBy = { by: 'person' } | { by: 'device' } | { by: 'group'; group: string }

export interface EarlyAccess {
  name: string
  description: string
  stage: 'concept' | 'alpha' | 'beta' | 'general-availability'
  documentationUrl: string
}

/** The state of a flag in one environment. */
export interface FlagSetting {
  isOn: boolean
  /** The first set that matches decides. Without sets a switch is off for everyone; a configuration needs none. */
  conditions: readonly ConditionSet[]
  /** A person in the holdout gets the flag's holdout value, before any condition set. */
  holdout?: Holdout | undefined
  /** The slice of a layer whose visitors may get the flag; it is off for all others. */
  layer?: LayerSlice | undefined
  /** The environment's own values, if they differ. */
  payloads: Readonly<Record<string, string>>
}

/** Matches visitors who meet all conditions, or a percentage of them. */
export interface ConditionSet {
  description: string
  conditions: readonly Condition[]
  /** Percentage of the visitors who meet the conditions, from 0 to 100 in steps of 0.01. */
  percentage: number
  /** The variant of every visitor in this set, in place of the one their bucket chooses. */
  variant?: string | undefined
  /** A visitor who meets the conditions but is outside the percentage gets nothing; later sets are skipped. */
  isLast: boolean
}

export type Condition = PropertyCondition | CohortCondition | FlagCondition

/** The decision on another flag of the project for the same visitor. */
export interface FlagCondition {
  type: 'flag'
  flag: string
  /** True accepts any variant. */
  value: boolean | string
}

export interface Holdout {
  id: number
  /** The percentage of people held out, from 0 to 100. */
  percentage: number
}

/** A part of a layer, from 0 to 100 percent. `until` is not part of it, except for 100. */
export interface LayerSlice {
  id: number
  from: number
  until: number
}

/** The environment that uses the project's own write key. */
export const mainEnvironment = 'production'

/** Of a flag that was never set up in an environment. */
export const emptySetting: FlagSetting = { isOn: false, conditions: [], holdout: undefined, payloads: {} }

/** Splits 100 % equally, to hundredths; the first ones take what does not divide. */
export function equalPercentages(count: number): number[] {
  const each = Math.floor(10_000 / count)
  const left = 10_000 - each * count
  return Array.from({ length: count }, (_, i) => (each + (i < left ? 1 : 0)) / 100)
}

/** A set of settings for the project's flags. SDKs select it by its own write key. */
export interface FlagEnvironment {
  projectId: number
  name: string
  writeKey: string
}
