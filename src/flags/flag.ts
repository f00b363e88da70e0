import type { CohortCondition, PropertyCondition } from '#filters/filter'

/** A feature flag of a project: its possible values, and the rules of each environment that choose between them. */
export interface Flag {
  /** SDKs know flags by number, too. */
  id: number
  projectId: number
  /** The key that code uses. It never changes. */
  key: string
  description: string
  tags: readonly string[]
  /** The member to contact about the flag. */
  owner: string
  kind: FlagKind
  /** In the order in which they share people out; none where it is only on or off. */
  variants: readonly Variant[]
  /** JSON as text, by what is got: a variant's key, or "true" where there are none. */
  payloads: Readonly<Record<string, string>>
  /** A remote configuration for servers with a secret key alone: encrypted where it is kept, never sent to a browser. */
  isSecret: boolean
  bucketBy: BucketBy
  /** A person keeps their decision from before sign-in. */
  keepsThroughSignIn: boolean
  servedTo: 'everybody' | 'browsers' | 'servers'
  /** Where SDKs name contexts, it is given to those that share one with it; with none it is given to all. */
  contexts: readonly string[]
  /** People may take part by themselves. */
  earlyAccess?: EarlyAccess | undefined
  hasExperiment: boolean
  /** By the name of the environment; where one is not named, the flag is off there. */
  environments: Readonly<Record<string, FlagSetting>>
  /** Counts its changes. */
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

/** How a flag stands in one environment. */
export interface FlagSetting {
  isOn: boolean
  /** The first set that matches decides. Without sets a switch is off for everyone; a configuration needs none. */
  conditions: readonly ConditionSet[]
  /** A person in the holdout gets the flag's holdout value, before any condition set. */
  holdout?: Holdout | undefined
  /** Values of this environment's own, where they differ. */
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

/** What another flag of the project decides for the same visitor. */
export interface FlagCondition {
  type: 'flag'
  flag: string
  /** True accepts any variant. */
  value: boolean | string
}

export interface Holdout {
  id: number
  /** How many are held out, from 0 to 100. */
  percentage: number
}

/** The environment that uses the project's own write key. */
export const mainEnvironment = 'production'

/** Where the same flags are set differently: each has a write key of its own, by which SDKs choose it. */
export interface FlagEnvironment {
  projectId: number
  name: string
  writeKey: string
}
