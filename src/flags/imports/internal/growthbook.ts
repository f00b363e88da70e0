import { z } from 'zod'
import type { Json } from '#events/event'
import type { Condition, ConditionSet } from '../../flag'
import {
  conditionSet,
  exactPercentage,
  isOneOf,
  isSet,
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

const rule = z.looseObject({
  enabled: z.boolean().nullish(),
  condition: z.union([z.string(), z.record(z.string(), z.json())]).nullish(),
  force: z.json().optional(),
  value: z.json().optional(),
  type: z.string().nullish(),
  coverage: z.number().nullish(),
  hashAttribute: z.string().nullish(),
  variations: z.array(z.json()).nullish(),
  weights: z.array(z.number()).nullish(),
  description: z.string().nullish(),
})
type Rule = z.infer<typeof rule>

const settingShape = z.object({
  enabled: z.boolean().default(true),
  defaultValue: z.json().optional(),
  rules: z.array(rule).default([]),
})

const feature = z.object({
  id: z.string().optional(),
  description: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  valueType: z.string().nullish(),
  defaultValue: z.json().default(null),
  rules: z.array(rule).default([]),
  environments: z.record(z.string(), settingShape).optional(),
})
type Feature = z.infer<typeof feature>

const exported = z.object({ features: z.union([z.array(feature), z.record(z.string(), feature)]) })

/** Translates features of GrowthBook: what its API answers at /api/v1/features, or what its SDKs load. */
export function readGrowthBook(json: unknown, environment: string): TranslatedFlag[] {
  const parsed = exported.safeParse(json)
  if (!parsed.success)
    throw new UnreadableFlagsError(
      'These are no features of GrowthBook. Give what its API answers at /api/v1/features.',
    )
  const { features } = parsed.data
  const all: [string, Feature][] = Array.isArray(features)
    ? features.map((one) => [one.id ?? '', one])
    : Object.entries(features)
  return all.map(([key, one]) =>
    translated({ key, description: one.description ?? '', tags: one.tags ?? [] }, () =>
      translateFeature(one, environment),
    ),
  )
}

function translateFeature(one: Feature, environment: string): Partial<TranslatedFlag> {
  const { isOn, defaultValue, rules, read } = settingOf(one, environment)
  const all = [defaultValue, ...rules.flatMap((each) => valuesIn(each).map(read))]
  const values = all.every((value) => typeof value === 'boolean')
    ? undefined
    : new Values(all.filter((value) => value !== null))
  const sets = [...rules.flatMap((each) => setsOf(each, values, read)), ...finalSet(defaultValue, values)]
  return {
    ...values?.parts(),
    isOn,
    conditions: sets,
    notes: notesOn(sets, values?.isShared ?? false),
  }
}

interface Setting {
  isOn: boolean
  defaultValue: Json
  rules: readonly Rule[]
  read: (value: Json) => Json
}

/** The API has a setting for each environment, and writes values as texts; what SDKs load has neither. */
function settingOf({ environments, valueType, ...one }: Feature, environment: string): Setting {
  if (!environments) return { ...one, isOn: true, rules: activeRules(one.rules), read: (value) => value }
  const chosen = Object.hasOwn(environments, environment) ? environments[environment] : undefined
  if (!chosen) throw new UntranslatableFlagError(`has no environment “${environment}”`)
  const read = (value: Json): Json => typedValue(value, valueType ?? 'string')
  const defaultValue = read(chosen.defaultValue ?? one.defaultValue)
  return { isOn: chosen.enabled, defaultValue, rules: activeRules(chosen.rules), read }
}

const activeRules = (rules: readonly Rule[]): Rule[] => rules.filter(({ enabled }) => enabled !== false)

function typedValue(value: Json, type: string): Json {
  if (typeof value !== 'string' || type === 'string') return value
  try {
    return z.json().parse(JSON.parse(value))
  } catch {
    throw new UntranslatableFlagError(`has the value “${value}”, which is not of its type`)
  }
}

const forced = ({ force, value }: Rule): Json | undefined => force ?? value

const valuesIn = (one: Rule): Json[] =>
  one.variations ?? [forced(one) ?? null].filter((value) => value !== null)

/** The people that no rule fits. */
function finalSet(value: Json, values: Values | undefined): ConditionSet[] {
  if (values) return value === null ? [] : [conditionSet({ variant: values.keyOf(value) })]
  return value === true ? [conditionSet({})] : []
}

const understood = new Set(
  'id type description enabled condition force value coverage hashAttribute variations weights name meta key tracks seed hashVersion phase savedGroupTargeting scheduleRules'.split(
    ' ',
  ),
)

function refuseUnknown(one: Rule): void {
  const present = Object.entries(one).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  const odd = present.find(
    ([name]) => !understood.has(name) || /^(?:savedGroupTargeting|scheduleRules)$/.test(name),
  )
  if (odd) throw new UntranslatableFlagError(`has a rule with “${odd[0]}”`)
  if (one.type === 'experiment-ref' || one.type === 'safe-rollout')
    throw new UntranslatableFlagError('is part of an experiment')
}

function setsOf(one: Rule, values: Values | undefined, read: (value: Json) => Json): ConditionSet[] {
  refuseUnknown(one)
  const { coverage, variations, hashAttribute, description } = one
  const percentage = exactPercentage((coverage ?? 1) * 100)
  if ((percentage < 100 || variations) && !isPersonId(hashAttribute ?? 'id'))
    throw new UntranslatableFlagError(`shares out by “${hashAttribute}”`)
  const alternatives = alternativesIn(conditionIn(one))
  const serve = variations
    ? sharedBy(one, percentage, values, read)
    : forcedTo(read(forced(one) ?? null), percentage, values)
  return alternatives.map((conditions) =>
    conditionSet({ conditions, description: description ?? '', ...serve }),
  )
}

/** Serves one value. A person outside the coverage goes on to the next rule. */
function forcedTo(value: Json, percentage: number, values: Values | undefined): Partial<ConditionSet> {
  if (value === null) throw new UntranslatableFlagError('has a rule of an unknown kind')
  if (values) return { percentage, variant: values.keyOf(value) }
  if (value === true) return { percentage }
  if (percentage < 100) throw new UntranslatableFlagError('turns itself off for a percentage of people')
  return { percentage: 0, isLast: true }
}

function sharedBy(
  { variations, weights }: Rule,
  percentage: number,
  values: Values | undefined,
  read: (value: Json) => Json,
): Partial<ConditionSet> {
  const all = (variations ?? []).map(read)
  const parts = all.map((value, index) => ({
    value,
    percentage: (weights?.[index] ?? 1 / all.length) * 100,
  }))
  if (values) {
    values.share(parts)
    return { percentage }
  }
  if (percentage < 100) throw new UntranslatableFlagError('tries values on a percentage of people')
  const share = parts.filter(({ value }) => value === true).reduce((sum, part) => sum + part.percentage, 0)
  return { percentage: exactPercentage(share), isLast: true }
}

function conditionIn({ condition }: Rule): Json {
  if (typeof condition !== 'string') return condition ?? {}
  if (condition.trim() === '') return {}
  try {
    return z.json().parse(JSON.parse(condition))
  } catch {
    throw new UntranslatableFlagError('has a condition that is not JSON')
  }
}

const isPersonId = (name: string): boolean => ['id', 'userId', 'user_id'].includes(name)

const mostAlternatives = 20
const deepest = 10

/** Returns the lists of conditions, any of which has to hold. */
function alternativesIn(condition: Json, depth = 0): Condition[][] {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition) || depth > deepest)
    throw new UntranslatableFlagError('has a condition of an unknown form')
  let all: Condition[][] = [[]]
  for (const [name, value] of Object.entries(condition)) {
    const more =
      name === '$and'
        ? listOf(value).reduce<Condition[][]>(
            (sum, one) => crossed(sum, alternativesIn(one, depth + 1)),
            [[]],
          )
        : name === '$or'
          ? listOf(value).flatMap((one) => alternativesIn(one, depth + 1))
          : [conditionsOn(name, value)]
    all = crossed(all, more)
  }
  return all
}

function crossed(one: Condition[][], other: Condition[][]): Condition[][] {
  if (one.length * other.length > mostAlternatives)
    throw new UntranslatableFlagError(`has more than ${mostAlternatives} alternatives in a rule`)
  return one.flatMap((left) => other.map((right) => [...left, ...right]))
}

function listOf(value: Json): Json[] {
  if (!Array.isArray(value)) throw new UntranslatableFlagError('has a condition of an unknown form')
  return value
}

function conditionsOn(name: string, wanted: Json): Condition[] {
  if (name.startsWith('$') || name.includes('.'))
    throw new UntranslatableFlagError(`uses “${name}” in a condition`)
  const subject: Subject = isPersonId(name) ? personId : { type: 'person', key: name }
  if (typeof wanted !== 'object') return [isOneOf(subject, [textOf(wanted)])]
  if (wanted === null || Array.isArray(wanted))
    throw new UntranslatableFlagError(`compares “${name}” with a list or null`)
  return Object.entries(wanted).map(([operator, value]) => conditionBy(operator, subject, value))
}

const numeric = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' } as const
const versions = {
  $veq: 'semver_eq',
  $vgt: 'semver_gt',
  $vgte: 'semver_gte',
  $vlt: 'semver_lt',
  $vlte: 'semver_lte',
} as const

const has = <Table extends object>(table: Table, name: string): name is string & keyof Table =>
  Object.hasOwn(table, name)

function conditionBy(operator: string, subject: Subject, value: Json): Condition {
  if (operator === '$eq' || operator === '$ne') return isOneOf(subject, [textOf(value)], operator === '$ne')
  if (operator === '$in' || operator === '$nin')
    return isOneOf(subject, listOf(value).map(textOf), operator === '$nin')
  if (operator === '$exists') return value === true ? isSet(subject) : { ...subject, operator: 'is_not_set' }
  if (operator === '$regex' && typeof value === 'string') return matches(subject, value)
  if (typeof value === 'number' && has(numeric, operator))
    return { ...subject, operator: numeric[operator], value }
  if (typeof value === 'string' && /^\d+\.\d+\.\d+$/.test(value) && has(versions, operator))
    return { ...subject, operator: versions[operator], value }
  throw new UntranslatableFlagError(`uses the operator “${operator}”`)
}

function textOf(value: Json): string {
  if (typeof value === 'object') throw new UntranslatableFlagError('compares with a list, an object or null')
  return String(value)
}
