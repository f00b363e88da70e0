import { z } from 'zod'
import type { Json } from '#events/event'
import type { Condition, ConditionSet } from '../../flag'
import {
  conditionSet,
  contains,
  idSets,
  isOneOf,
  isSet,
  matches,
  notesOn,
  type Subject,
  translated,
  type TranslatedFlag,
  UnreadableFlagsError,
  UntranslatableFlagError,
  Values,
} from '../translation'

const value = z.union([z.string(), z.number(), z.boolean()]).nullish()

const featureState = z.object({
  feature: z.object({ id: z.number(), name: z.string() }),
  enabled: z.boolean(),
  feature_state_value: value,
  feature_segment: z.object({ priority: z.number().nullish() }).nullish(),
  multivariate_feature_state_values: z
    .array(
      z.object({
        percentage_allocation: z.number(),
        multivariate_feature_option: z.object({ value }),
      }),
    )
    .default([]),
})
type FeatureState = z.infer<typeof featureState>

const condition = z.object({
  operator: z.string(),
  property_: z.string().nullish(),
  property: z.string().nullish(),
  value: z.union([z.string(), z.number()]).nullish(),
})
type SegmentCondition = z.infer<typeof condition>

interface SegmentRule {
  type: string
  rules: SegmentRule[]
  conditions: SegmentCondition[]
}
const rule: z.ZodType<SegmentRule> = z.object({
  type: z.string(),
  rules: z.lazy(() => z.array(rule)).default([]),
  conditions: z.array(condition).default([]),
})

const exported = z.object({
  feature_states: z.array(featureState),
  project: z.object({
    segments: z
      .array(
        z.object({
          name: z.string(),
          rules: z.array(rule).default([]),
          feature_states: z.array(featureState).default([]),
        }),
      )
      .default([]),
  }),
  identity_overrides: z
    .array(z.object({ identifier: z.string(), identity_features: z.array(featureState).default([]) }))
    .default([]),
})
type Export = z.infer<typeof exported>

/** Translates the document of an environment, which Flagsmith's API answers at /api/v1/environment-document/. */
export function readFlagsmith(json: unknown): TranslatedFlag[] {
  const parsed = exported.safeParse(json)
  if (!parsed.success)
    throw new UnreadableFlagsError(
      'These are no flags of Flagsmith. Give what its API answers at /api/v1/environment-document/.',
    )
  const { data } = parsed
  return data.feature_states.map((state) =>
    translated({ key: state.feature.name, description: '', tags: [] }, () => translateState(state, data)),
  )
}

function translateState(state: FeatureState, data: Export): Partial<TranslatedFlag> {
  const isSame = (one: FeatureState) => one.feature.id === state.feature.id
  const people = data.identity_overrides.flatMap(({ identifier, identity_features: states }) =>
    states.filter(isSame).map((override) => ({ identifier, override })),
  )
  const segments = data.project.segments
    .flatMap((segment) => segment.feature_states.filter(isSame).map((override) => ({ segment, override })))
    .toSorted((a, b) => priorityOf(a.override) - priorityOf(b.override))
  const states = [state, ...people.map((one) => one.override), ...segments.map((one) => one.override)]
  const values = valuesOf(states.filter(({ enabled }) => enabled))
  const sets = [
    ...people.flatMap(({ identifier, override }) => idSets([identifier], servedBy(override, values))),
    ...segments.flatMap(({ segment, override }) =>
      alternativesIn(segment.rules).map((conditions) =>
        conditionSet({ ...servedBy(override, values), conditions, description: segment.name }),
      ),
    ),
    conditionSet(servedBy(state, values)),
  ]
  return {
    ...values?.parts(),
    isOn: states.some(({ enabled }) => enabled),
    conditions: sets,
    notes: [
      ...notesOn(sets, values?.isShared ?? false),
      ...(states.some((one) => !one.enabled && one.feature_state_value)
        ? ['Flagsmith has a value also for those who do not get it; here they have none.']
        : []),
    ],
  }
}

const priorityOf = ({ feature_segment: segment }: FeatureState): number => segment?.priority ?? 0

const valueIn = ({ feature_state_value: own }: FeatureState): Json => own ?? ''

/** A flag without values is a switch. */
function valuesOf(states: readonly FeatureState[]): Values | undefined {
  const isPlain = states.every(
    (one) => valueIn(one) === '' && one.multivariate_feature_state_values.length === 0,
  )
  if (isPlain) return undefined
  const options = states.flatMap((one) =>
    one.multivariate_feature_state_values.map((each) => each.multivariate_feature_option.value ?? ''),
  )
  return new Values([...states.map(valueIn), ...options])
}

function servedBy(state: FeatureState, values: Values | undefined): Partial<ConditionSet> {
  if (!state.enabled) return { percentage: 0, isLast: true }
  if (!values) return {}
  const parts = state.multivariate_feature_state_values.map((one) => ({
    value: one.multivariate_feature_option.value ?? '',
    percentage: one.percentage_allocation,
  }))
  const rest = 100 - parts.reduce((sum, { percentage }) => sum + percentage, 0)
  if (parts.every(({ percentage }) => percentage === 0)) return { variant: values.keyOf(valueIn(state)) }
  values.share([{ value: valueIn(state), percentage: rest }, ...parts])
  return {}
}

const mostAlternatives = 20

/** All rules have to hold: each is any, all or none of its conditions. */
function alternativesIn(rules: readonly SegmentRule[]): Condition[][] {
  return rules.map(alternativesOf).reduce<Condition[][]>(crossed, [[]])
}

function alternativesOf({ type, rules, conditions }: SegmentRule): Condition[][] {
  const own = conditions.map(conditionsOf)
  if (type === 'ALL') return crossed([own.flat()], alternativesIn(rules))
  if (type === 'ANY') return [...own, ...rules.flatMap(alternativesOf)]
  throw new UntranslatableFlagError(`asks for a segment with a rule “${type}”`)
}

function crossed(one: Condition[][], other: Condition[][]): Condition[][] {
  if (one.length * other.length > mostAlternatives)
    throw new UntranslatableFlagError(`has more than ${mostAlternatives} alternatives in a segment`)
  return one.flatMap((left) => other.map((right) => [...left, ...right]))
}

const numeric = {
  GREATER_THAN: 'gt',
  GREATER_THAN_INCLUSIVE: 'gte',
  LESS_THAN: 'lt',
  LESS_THAN_INCLUSIVE: 'lte',
} as const

const has = <Table extends object>(table: Table, name: string): name is string & keyof Table =>
  Object.hasOwn(table, name)

/** A trait that is absent fits no condition but its absence. */
const textual = {
  EQUAL: (subject, text) => [isOneOf(subject, [text])],
  NOT_EQUAL: (subject, text) => [isOneOf(subject, [text], true), isSet(subject)],
  CONTAINS: (subject, text) => [contains(subject, [text])],
  NOT_CONTAINS: (subject, text) => [contains(subject, [text], true), isSet(subject)],
  IN: (subject, text) => [isOneOf(subject, text.split(','))],
  // a pattern has to fit from the beginning
  REGEX: (subject, text) => [matches(subject, `^(?:${text})`)],
  IS_SET: (subject) => [isSet(subject)],
  IS_NOT_SET: (subject) => [{ ...subject, operator: 'is_not_set' }],
} satisfies Record<string, (subject: Subject, text: string) => Condition[]>

function conditionsOf({ operator, property_: name, property, value: wanted }: SegmentCondition): Condition[] {
  const subject: Subject = { type: 'person', key: name ?? property ?? '' }
  if (subject.key.startsWith('$.')) throw new UntranslatableFlagError(`asks for “${subject.key}”`)
  const text = String(wanted ?? '')
  if (has(textual, operator)) return textual[operator](subject, text)
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (has(numeric, operator) && Number.isFinite(number))
    return [{ ...subject, operator: numeric[operator], value: number }]
  throw new UntranslatableFlagError(`asks for a segment with the operator “${operator}”`)
}
