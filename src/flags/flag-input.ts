import { withoutUndefined } from '#collection/without-undefined'
import { z } from 'zod'
import { filter } from '#filters/filter'
import { type Condition, emptySetting, type Flag, flagKinds, type FlagSetting } from './flag'
import { key, namedText, payloads, percentage, printable, textList, variantKey } from './input/field-schemas'
import { objectionsTo } from './input/objections'

/** The limits of a flag. More is most likely a mistake, and slows down every decision. */
export const flagLimits = {
  flags: 10_000,
  sets: 100,
  conditions: 100,
  variants: 50,
  tags: 50,
  environments: 50,
}

/** The refusal of a new flag when the project has reached its limit. */
export const tooManyFlags = `A project has at most ${flagLimits.flags.toLocaleString('en')} flags. Archive what no code asks for any more.`

const ofFlag = z.strictObject({
  type: z.literal('flag'),
  flag: key,
  value: z.union([z.boolean(), variantKey], { error: 'Say true, false or the key of a variant.' }),
})

const ofVisitor = filter.refine((one) => 'type' in one && one.type !== 'event' && one.type !== 'session', {
  error: 'A flag asks of persons, groups, cohorts and other flags, one condition beside the other.',
})

const shape =
  'A condition is on a property ({ "type": "person" or "group", "key", "operator", "value" }), on a cohort ' +
  '({ "type": "cohort", "cohort", "operator" }) or on another flag ({ "type": "flag", "flag", "value" }).'

// after `ofVisitor` only conditions on properties and cohorts remain, which its type cannot express
const condition = z.union([ofFlag, ofVisitor], { error: shape }) as unknown as z.ZodType<Condition>

export const conditionSet = z.strictObject({
  description: printable(400).default(''),
  conditions: z
    .array(condition, { error: 'Give the conditions as a list.' })
    .max(
      flagLimits.conditions,
      `A set has at most ${flagLimits.conditions} conditions. A cohort can stand for many.`,
    )
    .default([]),
  percentage: percentage.default(100),
  variant: variantKey.optional(),
  isLast: z.boolean().default(false),
})

const holdout = z.strictObject({
  id: z.number({ error: 'Name the holdout by its number.' }).int().min(1),
  percentage,
})

const layer = z
  .strictObject({
    id: z.number({ error: 'Name the layer by its number.' }).int().min(1),
    from: percentage,
    until: percentage,
  })
  .refine(({ from, until }) => from < until, { error: 'A slice begins before it ends.' })

const settingParts = {
  isOn: z.boolean({ error: 'Say whether it is on: true or false.' }),
  conditions: z
    .array(conditionSet, { error: 'Give the condition sets as a list.' })
    .max(
      flagLimits.sets,
      `A flag has at most ${flagLimits.sets} condition sets. Put some of them into a cohort.`,
    ),
  holdout: holdout.optional(),
  layer: layer.optional(),
  payloads,
}

const setting = z.strictObject({
  ...settingParts,
  isOn: settingParts.isOn.default(false),
  conditions: settingParts.conditions.default([]),
  payloads: payloads.default({}),
})

const settingChange = z.strictObject({
  isOn: settingParts.isOn.optional(),
  conditions: settingParts.conditions.optional(),
  // null removes it
  holdout: holdout.nullish(),
  layer: layer.nullish(),
  payloads: payloads.optional(),
})

const environmentName = namedText('An environment', 40)

const byEnvironment = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .record(environmentName, schema, { error: 'Give the environments by their names.' })
    .refine((all) => Object.keys(all).length <= flagLimits.environments, {
      error: `A flag is set in at most ${flagLimits.environments} environments.`,
    })

const variant = z.strictObject({
  key: variantKey,
  name: printable(200).default(''),
  percentage,
})

const bucketBy = z.union(
  [
    z.strictObject({ by: z.literal('person') }),
    z.strictObject({ by: z.literal('device') }),
    z.strictObject({ by: z.literal('group'), group: namedText('A type of groups', 200) }),
  ],
  { error: 'Share out by { "by": "person" }, { "by": "device" } or { "by": "group", "group": its type }.' },
)

const earlyAccess = z.strictObject({
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

const parts = {
  description: printable(1000),
  tags: textList(flagLimits.tags),
  owner: printable(200),
  kind: z.enum(flagKinds, { error: `Choose a kind: ${flagKinds.join(', ')}.` }),
  variants: z.array(variant).max(flagLimits.variants, `A flag has at most ${flagLimits.variants} variants.`),
  payloads,
  isSecret: z.boolean(),
  bucketBy,
  keepsThroughSignIn: z.boolean(),
  servedTo: z.enum(['everybody', 'browsers', 'servers']),
  contexts: textList(flagLimits.tags),
}

/** The parts of a new flag, with a message for each mistake. */
export const newFlag = z
  .strictObject({
    key,
    description: parts.description.default(''),
    tags: parts.tags.default([]),
    owner: parts.owner.default(''),
    kind: parts.kind.default('switch'),
    variants: parts.variants.default([]),
    payloads: parts.payloads.default({}),
    isSecret: parts.isSecret.default(false),
    bucketBy: bucketBy.default({ by: 'person' }),
    keepsThroughSignIn: parts.keepsThroughSignIn.default(false),
    servedTo: parts.servedTo.default('everybody'),
    contexts: parts.contexts.default([]),
    earlyAccess: earlyAccess.optional(),
    environments: byEnvironment(setting).default({}),
  })
  .check(({ value, issues }) => {
    for (const { field = '', message } of objectionsTo(value))
      issues.push({ code: 'custom', message, path: field.split('.'), input: value })
  })
export type NewFlag = z.infer<typeof newFlag>

/** A change of a flag: absent fields and environments stay as they are. */
export const flagChange = z.strictObject({
  ...z.object(parts).partial().shape,
  // null removes it
  earlyAccess: earlyAccess.nullish(),
  environments: byEnvironment(settingChange).optional(),
  /** The version that the change is based on. The change is refused if a newer one exists. */
  version: z.number().int().optional(),
})
export type FlagChange = z.infer<typeof flagChange>

/** Applies a change to a flag. Callers check `objectionsTo` and `objectionsAmong` before they store the result. */
export function changedFlag(flag: Flag, { version: _, earlyAccess: access, ...change }: FlagChange): Flag {
  const { environments: settingsSaid = {}, ...mentioned } = change
  const settings = Object.entries(settingsSaid).map(([name, one]): [string, FlagSetting] => [
    name,
    changedSetting(settingOf(flag, name), one),
  ])
  return {
    ...flag,
    ...withoutUndefined(mentioned),
    earlyAccess: access === undefined ? flag.earlyAccess : (access ?? undefined),
    environments: { ...flag.environments, ...Object.fromEntries(settings) },
  }
}

const settingOf = ({ environments }: Flag, name: string): FlagSetting =>
  (Object.hasOwn(environments, name) ? environments[name] : undefined) ?? emptySetting

function changedSetting(
  before: FlagSetting,
  { holdout: newHoldout, layer: newSlice, ...mentioned }: z.infer<typeof settingChange>,
): FlagSetting {
  return {
    ...before,
    ...withoutUndefined(mentioned),
    holdout: newHoldout === undefined ? before.holdout : (newHoldout ?? undefined),
    layer: newSlice === undefined ? before.layer : (newSlice ?? undefined),
  }
}
