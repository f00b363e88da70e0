import { z } from 'zod'
import type { Condition, ConditionSet } from '../../flag'
import {
  conditionSet,
  escapePattern,
  exactPercentage,
  idSets,
  isOneOf,
  matches,
  notesOn,
  personId,
  type Subject,
  translated,
  type TranslatedFlag,
  UnreadableFlagsError,
  UntranslatableFlagError,
  Values,
} from '../translation'

const constraint = z.object({
  contextName: z.string(),
  operator: z.string(),
  values: z.array(z.string()).default([]),
  value: z.string().nullish(),
  inverted: z.boolean().default(false),
  caseInsensitive: z.boolean().default(false),
})
type Constraint = z.infer<typeof constraint>

const variant = z.object({
  name: z.string(),
  weight: z.number(),
  stickiness: z.string().nullish(),
  payload: z.object({ type: z.string(), value: z.string() }).nullish(),
  overrides: z.array(z.unknown()).nullish(),
})
type UnleashVariant = z.infer<typeof variant>

const strategy = z.object({
  name: z.string(),
  featureName: z.string().optional(),
  environment: z.string().optional(),
  parameters: z.record(z.string(), z.coerce.string()).default({}),
  constraints: z.array(constraint).default([]),
  segments: z.array(z.number()).default([]),
  variants: z.array(variant).default([]),
  disabled: z.boolean().nullish(),
  title: z.string().nullish(),
})
type Strategy = z.infer<typeof strategy>

const exported = z.object({
  features: z.array(
    z.object({
      name: z.string(),
      description: z.string().nullish(),
      enabled: z.boolean().optional(),
      strategies: z.array(strategy).optional(),
      variants: z.array(variant).nullish(),
    }),
  ),
  featureStrategies: z.array(strategy).default([]),
  featureEnvironments: z
    .array(
      z.object({
        featureName: z.string(),
        environment: z.string(),
        enabled: z.boolean(),
        variants: z.array(variant).nullish(),
      }),
    )
    .default([]),
  featureTags: z.array(z.object({ featureName: z.string(), tagValue: z.string() })).default([]),
  segments: z.array(z.object({ id: z.number(), constraints: z.array(constraint).optional() })).default([]),
  dependencies: z
    .array(
      z.object({
        feature: z.string(),
        dependencies: z.array(
          z.object({
            feature: z.string(),
            enabled: z.boolean().default(true),
            variants: z.array(z.string()).default([]),
          }),
        ),
      }),
    )
    .default([]),
})
type Export = z.infer<typeof exported>

interface Setting {
  name: string
  isOn: boolean
  strategies: readonly Strategy[]
  variants: readonly UnleashVariant[]
  required: readonly Condition[]
  segments: ReadonlyMap<number, readonly Constraint[] | undefined>
}

/** Translates an export of Unleash: Projects → Export, or /api/admin/features-batch/export, or the older /state/export. */
export function readUnleash(json: unknown, environment: string): TranslatedFlag[] {
  const parsed = exported.safeParse(json)
  if (!parsed.success)
    throw new UnreadableFlagsError('These are no flags of Unleash. Export them in Projects → Export.')
  const { data } = parsed
  return data.features.map(({ name, description }) => {
    const tags = data.featureTags.filter((tag) => tag.featureName === name).map(({ tagValue }) => tagValue)
    return translated({ key: name, description: description ?? '', tags }, () =>
      translateSetting(settingOf(name, data, environment)),
    )
  })
}

function settingOf(name: string, data: Export, environment: string): Setting {
  const feature = data.features.find((one) => one.name === name)
  const inEnvironment = data.featureEnvironments.find(
    (one) => one.featureName === name && one.environment === environment,
  )
  if (!inEnvironment && feature?.enabled === undefined)
    throw new UntranslatableFlagError(`has no environment “${environment}”`)
  const strategies =
    feature?.strategies ??
    data.featureStrategies.filter((one) => one.featureName === name && one.environment === environment)
  const dependencies = data.dependencies.filter((one) => one.feature === name)
  return {
    name,
    isOn: inEnvironment?.enabled ?? feature?.enabled ?? false,
    strategies: strategies.filter(({ disabled }) => disabled !== true),
    variants: inEnvironment?.variants ?? feature?.variants ?? [],
    required: dependencies.flatMap((one) => one.dependencies).map(requirement),
    segments: new Map(data.segments.map((one) => [one.id, one.constraints])),
  }
}

function requirement({
  feature,
  enabled,
  variants,
}: Export['dependencies'][number]['dependencies'][number]): Condition {
  const [only, ...more] = variants
  if (more.length > 0) throw new UntranslatableFlagError(`requires one of several variants of “${feature}”`)
  return { type: 'flag', flag: feature, value: enabled ? (only ?? true) : false }
}

/** Makes a condition set of each strategy: any that fits lets a person in. */
function translateSetting(setting: Setting): Partial<TranslatedFlag> {
  const { strategies, isOn } = setting
  refuseIndependentShares(setting)
  const sets =
    strategies.length === 0
      ? [conditionSet({ conditions: setting.required })]
      : strategies.flatMap((one) => setsOf(one, setting))
  const values = valuesOf(setting)
  return { ...values, isOn, conditions: sets, notes: notesOn(sets, values !== undefined) }
}

const partial = ({ name, parameters }: Strategy): number | undefined =>
  name === 'flexibleRollout'
    ? Number(parameters['rollout'] ?? 100)
    : name.startsWith('gradualRollout')
      ? Number(parameters['percentage'] ?? 100)
      : undefined

/** Strategies of different groups let different people in; here each flag has one order of people. */
function refuseIndependentShares({ strategies, name }: Setting): void {
  const groups = strategies
    .filter((one) => (partial(one) ?? 100) < 100)
    .map(({ parameters }) => parameters['groupId'] ?? name)
  if (new Set(groups).size > 1) throw new UntranslatableFlagError('has rollouts with different group ids')
}

function setsOf(one: Strategy, { required, segments }: Setting): ConditionSet[] {
  const constraints = [
    ...one.constraints,
    ...one.segments.flatMap((id) => {
      const found = segments.get(id)
      if (!found)
        throw new UntranslatableFlagError(`asks for the segment ${id}, whose rules are not in the export`)
      return found
    }),
  ]
  const conditions = [...required, ...constraints.map(conditionOf)]
  const set = { conditions, description: one.title ?? '' }
  if (one.name === 'userWithId') return setsOfUsers(one, set)
  if (one.name !== 'default' && one.name !== 'flexibleRollout' && one.name !== 'gradualRolloutUserId')
    throw new UntranslatableFlagError(`uses the strategy “${one.name}”`)
  const stickiness = one.parameters['stickiness'] ?? 'default'
  const percentage = exactPercentage(partial(one) ?? 100)
  if (percentage < 100 && stickiness !== 'default' && stickiness !== 'userId')
    throw new UntranslatableFlagError(`shares out by “${stickiness}”`)
  return [conditionSet({ ...set, percentage })]
}

function setsOfUsers({ parameters }: Strategy, set: Pick<ConditionSet, 'conditions' | 'description'>) {
  const ids = (parameters['userIds'] ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)
  return idSets(ids, set).map((one) => ({ ...one, conditions: [...set.conditions, ...one.conditions] }))
}

const ofServers = new Set(['appName', 'environment', 'sessionId', 'remoteAddress', 'currentTime'])

function subjectOf({ contextName }: Constraint): Subject {
  if (ofServers.has(contextName)) throw new UntranslatableFlagError(`asks for the field “${contextName}”`)
  return contextName === 'userId' ? personId : { type: 'person', key: contextName }
}

const textual = {
  STR_CONTAINS: (any: string) => `(?:${any})`,
  STR_STARTS_WITH: (any: string) => `^(?:${any})`,
  STR_ENDS_WITH: (any: string) => `(?:${any})$`,
} as const
const numeric = { NUM_GT: 'gt', NUM_GTE: 'gte', NUM_LT: 'lt', NUM_LTE: 'lte' } as const
const versions = { SEMVER_EQ: 'semver_eq', SEMVER_GT: 'semver_gt', SEMVER_LT: 'semver_lt' } as const

const has = <Table extends object>(table: Table, name: string): name is string & keyof Table =>
  Object.hasOwn(table, name)

/** A field that is absent is in no list, and has no text. */
function conditionOf(one: Constraint): Condition {
  const { operator, values, inverted, caseInsensitive } = one
  const subject = subjectOf(one)
  if (operator === 'IN' || operator === 'NOT_IN')
    return isOneOf(subject, values, (operator === 'NOT_IN') !== inverted)
  if (has(textual, operator)) {
    const pattern = textual[operator](values.map(escapePattern).join('|'))
    return matches(subject, caseInsensitive ? `(?i)${pattern}` : pattern, inverted)
  }
  if (inverted) throw new UntranslatableFlagError(`inverts the operator “${operator}”`)
  return comparison(subject, operator, one.value ?? '')
}

function comparison(subject: Subject, operator: string, value: string): Condition {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  const isNumber = Number.isFinite(number)
  if (isNumber && has(numeric, operator)) return { ...subject, operator: numeric[operator], value: number }
  if (isNumber && operator === 'NUM_EQ') return { ...subject, operator: 'between', value: [number, number] }
  if (has(versions, operator) && /^\d+\.\d+\.\d+$/.test(value))
    return { ...subject, operator: versions[operator], value }
  throw new UntranslatableFlagError(`uses the operator “${operator}”`)
}

/** Variants belong to the flag, or, equal ones, to all of its strategies. */
function valuesOf({ strategies, variants: ofFlag }: Setting): Partial<TranslatedFlag> | undefined {
  const lists = strategies.map(({ variants }) => variants)
  const variants = lists.find((list) => list.length > 0) ?? ofFlag
  if (variants.length === 0) return undefined
  const isOfStrategies = lists.some((list) => list.length > 0)
  if (isOfStrategies && lists.some((list) => JSON.stringify(list) !== JSON.stringify(variants)))
    throw new UntranslatableFlagError('has other variants in other strategies')
  const odd = variants.find(({ stickiness }) => !['default', 'userId', null, undefined].includes(stickiness))
  if (odd) throw new UntranslatableFlagError(`shares its variants out by “${odd.stickiness}”`)
  if (variants.some(({ overrides }) => (overrides ?? []).length > 0))
    throw new UntranslatableFlagError('has variants that single users get')
  const values = new Values(variants.map(({ name }) => name))
  values.share(variants.map(({ name, weight }) => ({ value: name, percentage: weight / 10 })))
  const payloads = variants.flatMap(({ name, payload }) =>
    payload ? [[values.keyOf(name), payloadOf(payload)] as const] : [],
  )
  return { ...values.parts(), payloads: Object.fromEntries(payloads) }
}

function payloadOf({ type, value }: NonNullable<UnleashVariant['payload']>): string {
  if (type !== 'json' && type !== 'number') return JSON.stringify(value)
  try {
    return JSON.stringify(JSON.parse(value))
  } catch {
    return JSON.stringify(value)
  }
}
