import type { CohortCondition, PropertyCondition } from '../filters/filter'

/** A switch of a project: what it can say, and in each environment to whom it says what. */
export interface Flag {
  /** SDKs know flags by number, too. */
  id: number
  projectId: number
  /** What code asks for. It never changes. */
  key: string
  description: string
  tags: readonly string[]
  /** Whom to ask about it. */
  owner: string
  kind: FlagKind
  /** In the order in which they share people out; none where it is only on or off. */
  variants: readonly Variant[]
  /** JSON as text, by what is got: a variant's key, or "true" where there are none. */
  payloads: Readonly<Record<string, string>>
  /** A remote configuration for servers with a secret key alone: encrypted where it is kept, never sent to a browser. */
  isSecret: boolean
  bucketBy: BucketBy
  /** Somebody keeps what they got before they signed in. */
  keepsThroughSignIn: boolean
  servedTo: 'everybody' | 'browsers' | 'servers'
  /** Where SDKs name contexts, it is given to those that share one with it; with none it is given to all. */
  contexts: readonly string[]
  /** People may take part by themselves. */
  earlyAccess?: EarlyAccess | undefined
  hasExperiment: boolean
  /** By the name of the environment; where one is not named, the flag is off there. */
  environments: Readonly<Record<string, Setting>>
  /** Counts its changes. */
  version: number
  createdBy: string
  createdAt: Date
  changedAt: Date
  archivedAt: Date | undefined
}

/** On or off, one of several, or a configuration that everybody gets. */
export const flagKinds = ['switch', 'variants', 'config'] as const
export type FlagKind = (typeof flagKinds)[number]

export interface Variant {
  key: string
  name: string
  /** Of all who are let in; together they are 100. */
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
export interface Setting {
  isOn: boolean
  /** The first that lets somebody in decides. With none, nobody is let in; a configuration needs none. */
  conditions: readonly ConditionSet[]
  /** Somebody held out gets the flag's holdout value, before any condition. */
  holdout?: Holdout | undefined
  /** Values of this environment's own, where they differ. */
  payloads: Readonly<Record<string, string>>
}

/** Everybody for whom all of it holds, or a share of them. */
export interface ConditionSet {
  description: string
  conditions: readonly Condition[]
  /** Of those for whom the conditions hold, from 0 to 100 in steps of 0.01. */
  percentage: number
  /** What they get, rather than what their bucket says. */
  variant?: string | undefined
  /** Whoever fits but is not among the percentage gets nothing, whatever comes after. */
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

/** The one whose key is the project's own write key. */
export const mainEnvironment = 'production'

/** Where the same flags are set differently: each has a write key of its own, by which SDKs choose it. */
export interface Environment {
  projectId: number
  name: string
  writeKey: string
}
