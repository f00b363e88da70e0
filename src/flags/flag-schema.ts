import { z } from 'zod'
import { filter } from '#filters/filter'
import type { Condition } from './flag'
import {
  key,
  namedText,
  payloads,
  percentage,
  printable,
  textList,
  variantKey,
} from './internal/field-schemas'

/** The limits of a flag. More is most likely a mistake, and slows down every decision. */
export const flagLimits = {
  flags: 10_000,
  sets: 100,
  conditions: 100,
  variants: 50,
  tags: 50,
  environments: 50,
}

/** A flag is on or off, one of several variants, or a configuration, which is the same for all visitors. */
export const flagKinds = ['switch', 'variants', 'config'] as const

/** The decision on another flag of the project for the same visitor. */
export const flagCondition = z.strictObject({
  type: z.literal('flag'),
  flag: key,
  /** True accepts any variant. */
  value: z.union([z.boolean(), variantKey], { error: 'Say true, false or the key of a variant.' }),
})

const ofVisitor = filter.refine((one) => 'type' in one && one.type !== 'event' && one.type !== 'session', {
  error: 'A flag asks of persons, groups, cohorts and other flags, one condition beside the other.',
})

const shape =
  'A condition is on a property ({ "type": "person" or "group", "key", "operator", "value" }), on a cohort ' +
  '({ "type": "cohort", "cohort", "operator" }) or on another flag ({ "type": "flag", "flag", "value" }).'

// after `ofVisitor` only conditions on properties and cohorts remain, which its type cannot express
export const condition = z.union([flagCondition, ofVisitor], {
  error: shape,
}) as unknown as z.ZodType<Condition>

/** Matches visitors who meet all conditions, or a percentage of them. */
export const conditionSet = z.strictObject({
  description: printable(400).default(''),
  conditions: z
    .array(condition, { error: 'Give the conditions as a list.' })
    .max(
      flagLimits.conditions,
      `A set has at most ${flagLimits.conditions} conditions. A cohort can stand for many.`,
    )
    .default([]),
  /** Percentage of the visitors who meet the conditions, from 0 to 100 in steps of 0.01. */
  percentage: percentage.default(100),
  /** The variant of every visitor in this set, in place of the one their bucket chooses. */
  variant: variantKey.optional(),
  /** A visitor who meets the conditions but is outside the percentage gets nothing; later sets are skipped. */
  isLast: z.boolean().default(false),
})

export const holdout = z.strictObject({
  id: z.number({ error: 'Name the holdout by its number.' }).int().min(1),
  /** The percentage of people held out, from 0 to 100. */
  percentage,
})

/** A part of a layer, from 0 to 100 percent. `until` is not part of it, except for 100. */
export const layerSlice = z
  .strictObject({
    id: z.number({ error: 'Name the layer by its number.' }).int().min(1),
    from: percentage,
    until: percentage,
  })
  .refine(({ from, until }) => from < until, { error: 'A slice begins before it ends.' })

/** The state of a flag in one environment. */
export const flagSetting = z.strictObject({
  isOn: z.boolean({ error: 'Say whether it is on: true or false.' }).default(false),
  /** The first set that matches decides. Without sets a switch is off for everyone; a configuration needs none. */
  conditions: z
    .array(conditionSet, { error: 'Give the condition sets as a list.' })
    .max(
      flagLimits.sets,
      `A flag has at most ${flagLimits.sets} condition sets. Put some of them into a cohort.`,
    )
    .default([]),
  /** A person in the holdout gets the flag's holdout value, before any condition set. */
  holdout: holdout.optional(),
  /** The slice of a layer whose visitors may get the flag; it is off for all others. */
  layer: layerSlice.optional(),
  /** The environment's own values, if they differ. */
  payloads: payloads.default({}),
})

export const byEnvironment = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .record(namedText('An environment', 40), schema, { error: 'Give the environments by their names.' })
    .refine((all) => Object.keys(all).length <= flagLimits.environments, {
      error: `A flag is set in at most ${flagLimits.environments} environments.`,
    })

export const variant = z.strictObject({
  key: variantKey,
  name: printable(200).default(''),
  /** Share of the people who are let in. The variants' shares add up to 100. */
  percentage,
})

export const bucketBy = z.union(
  [
    z.strictObject({ by: z.literal('person') }),
    z.strictObject({ by: z.literal('device') }),
    z.strictObject({ by: z.literal('group'), group: namedText('A type of groups', 200) }),
  ],
  { error: 'Share out by { "by": "person" }, { "by": "device" } or { "by": "group", "group": its type }.' },
)

export const earlyAccess = z.strictObject({
  name: printable(200).min(1, 'Name what people can take part in.'),
  description: printable(1000).default(''),
  stage: z.enum(['concept', 'alpha', 'beta', 'general-availability']),
  documentationUrl: z
    .union([
      z.literal(''),
      z.url({ protocol: /^https?$/, error: 'Give an address that begins with https://.' }),
    ])
    .default(''),
})

/** The part of a flag that members edit. A field that is added here is stored, audited, compared and in the API. */
export const editableFlag = z.strictObject({
  description: printable(1000).default(''),
  tags: textList(flagLimits.tags).default([]),
  /** The member to contact about the flag. */
  owner: printable(200).default(''),
  kind: z.enum(flagKinds, { error: `Choose a kind: ${flagKinds.join(', ')}.` }).default('switch'),
  /** The variants in the order of their shares; empty if the flag is only on or off. */
  variants: z
    .array(variant)
    .max(flagLimits.variants, `A flag has at most ${flagLimits.variants} variants.`)
    .default([]),
  /** JSON texts by value: a variant's key, or "true" for a flag without variants. */
  payloads: payloads.default({}).meta({ description: 'JSON as text; masked where it is secret' }),
  /** Whether it is a configuration only for servers with a secret key: stored encrypted, never sent to browsers. */
  isSecret: z.boolean().default(false),
  bucketBy: bucketBy.default({ by: 'person' }),
  /** Whether a person keeps the decision from before sign-in. */
  keepsThroughSignIn: z.boolean().default(false),
  servedTo: z.enum(['everybody', 'browsers', 'servers']).default('everybody'),
  /** If an SDK names contexts, it gets flags that share one with it; a flag without contexts is served to all. */
  contexts: textList(flagLimits.tags).default([]),
  /** Set if people may opt in. */
  earlyAccess: earlyAccess.optional(),
  /** Settings by the name of the environment; in an environment without one the flag is off. */
  environments: byEnvironment(flagSetting).default({}),
})

/** A feature flag of a project: its possible values, and the rules of each environment that choose between them. */
export const flagSchema = z.strictObject({
  /** SDKs also identify flags by number. */
  id: z.number(),
  projectId: z.number(),
  /** The key that code uses. It never changes. */
  key,
  ...editableFlag.shape,
  hasExperiment: z.boolean(),
  /** The id of the survey that keeps the flag. Such a flag is not listed and changes only with its survey. */
  keptBySurvey: z.string().optional(),
  /** The number of changes. */
  version: z.number(),
  createdBy: z.string(),
  createdAt: z.date(),
  changedAt: z.date(),
  archivedAt: z.date().optional(),
})
