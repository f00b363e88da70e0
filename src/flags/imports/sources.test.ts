import { expect, test } from 'vitest'
import { type FlagSourceName, readFlags } from './read-flags'
import { UnreadableFlagsError } from './translation'

const only = (source: FlagSourceName, json: unknown) => {
  const [flag] = readFlags(source, json, 'production')
  if (!flag) throw new Error('There is no flag.')
  return flag
}

const person = (key: string, operator: string, value?: unknown) => ({
  type: 'person',
  key,
  operator,
  ...(value !== undefined && { value }),
})
const set = (fields: object) => ({
  description: '',
  conditions: [],
  percentage: 100,
  isLast: false,
  ...fields,
})

const switchValues = [{ value: true }, { value: false }]
const launchDarkly = (setting: object, variations: object[] = switchValues) =>
  only('launchdarkly', {
    items: [
      {
        key: 'a',
        name: 'A',
        variations,
        environments: { production: { on: true, offVariation: 1, ...setting } },
      },
    ],
  })
const clause = (op: string, values: unknown[], more: object = {}) => ({
  attribute: 'plan',
  op,
  values,
  ...more,
})
const ruled = (...clauses: object[]) =>
  launchDarkly({ rules: [{ clauses, variation: 0 }], fallthrough: { variation: 1 } })

test('LaunchDarkly: targets, rules and what is served otherwise, in this order', () => {
  const flag = launchDarkly({
    targets: [
      { values: ['17', '18'], variation: 0 },
      { values: ['Ana'], variation: 1 },
    ],
    rules: [
      {
        clauses: [clause('in', ['pro']), { attribute: 'seats', op: 'greaterThan', values: [5, 3] }],
        rollout: {
          variations: [
            { variation: 0, weight: 25_000 },
            { variation: 1, weight: 75_000 },
          ],
        },
      },
    ],
    fallthrough: { variation: 1 },
  })
  expect(flag).toMatchObject({ key: 'a', description: 'A', kind: 'switch', isOn: true, reasons: [] })
  expect(flag.conditions).toEqual([
    set({ conditions: [person('distinct_id', 'exact', ['17', '18'])] }),
    set({ conditions: [person('distinct_id', 'regex', '^(?:Ana)$')], percentage: 0, isLast: true }),
    set({
      conditions: [person('plan', 'regex', '^(?:pro)$'), person('seats', 'gt', 3)],
      percentage: 25,
      isLast: true,
    }),
    set({ percentage: 0, isLast: true }),
  ])
  expect(flag.notes).toEqual([expect.stringContaining('another value')])
})

test.each([
  [clause('in', ['a.b', 'c']), [person('plan', 'regex', '^(?:a\\.b|c)$')]],
  [clause('in', ['a'], { negate: true }), [person('plan', 'not_regex', '^(?:a)$'), person('plan', 'is_set')]],
  [clause('startsWith', ['a']), [person('plan', 'regex', '^(?:a)')]],
  [clause('endsWith', ['a']), [person('plan', 'regex', '(?:a)$')]],
  [clause('contains', ['a']), [person('plan', 'regex', '(?:a)')]],
  [clause('matches', ['^a', 'b$']), [person('plan', 'regex', '(?:^a)|(?:b$)')]],
  [clause('lessThan', [1, 2]), [person('plan', 'lt', 2)]],
  [clause('semVerEqual', ['1.2.3']), [person('plan', 'semver_eq', '1.2.3')]],
  [
    clause('in', ['1'], { contextKind: 'company' }),
    [{ type: 'group', group: 'company', key: 'plan', operator: 'exact', value: ['1'] }],
  ],
])('LaunchDarkly: %j is translated', (one, conditions) => {
  expect(ruled(one)).toMatchObject({ reasons: [], conditions: [{ conditions }, {}] })
})

test.each([
  ['a segment', ruled({ attribute: '', op: 'segmentMatch', values: ['beta'] }), 'segment'],
  ['a date', ruled(clause('before', ['2020-01-01T00:00:00Z'])), '“before”'],
  ['“not” with numbers', ruled(clause('lessThan', [1], { negate: true })), '“not”'],
  ['a short version', ruled(clause('semVerEqual', ['2'])), 'semVerEqual'],
  ['a path', ruled(clause('in', ['a'], { attribute: '/address/city' })), '/address/city'],
  [
    'many values',
    ruled(
      clause(
        'in',
        Array.from({ length: 500 }, (_, i) => `user-${i}`),
      ),
    ),
    'cohort',
  ],
  [
    'another bucket',
    launchDarkly({
      fallthrough: { rollout: { bucketBy: 'country', variations: [{ variation: 0, weight: 100_000 }] } },
    }),
    'other than the person',
  ],
  [
    'thousandths',
    launchDarkly({ fallthrough: { rollout: { variations: [{ variation: 0, weight: 33_333 }] } } }),
    '33.333',
  ],
  ['true while off', launchDarkly({ on: false, offVariation: 0 }), 'while it is off'],
  ['an unknown requirement', launchDarkly({ prerequisites: [{ key: 'b', variation: 0 }] }), '“b”'],
  [
    'no environment',
    only('launchdarkly', {
      items: [{ key: 'a', variations: switchValues, environments: { test: { on: true } } }],
    }),
    'no environment',
  ],
])('LaunchDarkly: %s makes the flag off, with the reason', (_what, flag, reason) => {
  expect(flag).toMatchObject({ isOn: false, conditions: [], reasons: [expect.stringContaining(reason)] })
})

const texts = [{ value: 'red' }, { value: 'blue', name: 'Blue' }, { value: { a: 1 }, name: 'An object' }]
const rollout = (...weights: number[]) => ({
  rollout: { variations: weights.map((weight, variation) => ({ variation, weight })) },
})

test('LaunchDarkly: values are variants with payloads', () => {
  const flag = launchDarkly(
    {
      rules: [{ clauses: [clause('in', ['1'])], variation: 2 }],
      fallthrough: rollout(50_000, 30_000, 20_000),
    },
    texts,
  )
  expect(flag).toMatchObject({
    kind: 'variants',
    reasons: [],
    variants: [
      { key: 'red', percentage: 50 },
      { key: 'blue', percentage: 30 },
      { key: 'An-object', percentage: 20 },
    ],
    payloads: { red: '"red"', 'An-object': '{"a":1}' },
    conditions: [{ variant: 'An-object' }, { percentage: 100 }],
  })
  const twice = { rules: [{ clauses: [], ...rollout(100_000, 0, 0) }], fallthrough: rollout(0, 100_000, 0) }
  expect(launchDarkly(twice, texts).reasons).toEqual([expect.stringContaining('different ways')])
  expect(launchDarkly({ on: false, fallthrough: { variation: 0 } }, texts).notes).toEqual([
    expect.stringContaining('serves "blue"'),
  ])
})

const unleash = (strategies: object[], more: object = {}) =>
  only('unleash', {
    features: [{ name: 'a', description: 'A' }],
    featureStrategies: strategies.map((one) => ({ featureName: 'a', environment: 'production', ...one })),
    featureEnvironments: [{ featureName: 'a', environment: 'production', enabled: true }],
    segments: [{ id: 1, constraints: [{ contextName: 'plan', operator: 'IN', values: ['1'] }] }, { id: 2 }],
    ...more,
  })
const constrained = (constraint: object) =>
  unleash([{ name: 'default', constraints: [{ contextName: 'plan', ...constraint }] }])

test('Unleash: any strategy lets in', () => {
  const flag = unleash([
    { name: 'userWithId', parameters: { userIds: '1, 2' } },
    {
      name: 'flexibleRollout',
      title: 'Some',
      parameters: { rollout: '20', stickiness: 'default' },
      segments: [1],
    },
    { name: 'default', disabled: true },
  ])
  expect(flag).toMatchObject({ isOn: true, reasons: [], description: 'A' })
  expect(flag.conditions).toEqual([
    set({ conditions: [person('distinct_id', 'exact', ['1', '2'])] }),
    set({ description: 'Some', conditions: [person('plan', 'exact', ['1'])], percentage: 20 }),
  ])
})

test.each([
  [{ operator: 'IN', values: ['a'] }, person('plan', 'regex', '^(?:a)$')],
  [{ operator: 'NOT_IN', values: ['a'] }, person('plan', 'not_regex', '^(?:a)$')],
  [{ operator: 'NOT_IN', values: ['a'], inverted: true }, person('plan', 'regex', '^(?:a)$')],
  [{ operator: 'STR_CONTAINS', values: ['a'], caseInsensitive: true }, person('plan', 'regex', '(?i)(?:a)')],
  [{ operator: 'NUM_EQ', value: '3' }, person('plan', 'between', [3, 3])],
  [{ operator: 'NUM_GTE', value: '3' }, person('plan', 'gte', 3)],
  [{ operator: 'SEMVER_GT', value: '1.2.3' }, person('plan', 'semver_gt', '1.2.3')],
])('Unleash: %j is translated', (constraint, condition) => {
  expect(constrained(constraint)).toMatchObject({ reasons: [], conditions: [{ conditions: [condition] }] })
})

test.each([
  ['a date', constrained({ operator: 'DATE_AFTER', value: '2020' }), 'DATE_AFTER'],
  ['an inverted number', constrained({ operator: 'NUM_GT', value: '3', inverted: true }), 'inverts'],
  ['the environment', constrained({ operator: 'IN', contextName: 'environment' }), '“environment”'],
  ['a strategy of its own', unleash([{ name: 'remoteAddress' }]), 'remoteAddress'],
  [
    'random people',
    unleash([{ name: 'flexibleRollout', parameters: { rollout: 5, stickiness: 'random' } }]),
    'random',
  ],
  ['a segment without rules', unleash([{ name: 'default', segments: [2] }]), 'segment 2'],
  [
    'two groups',
    unleash(
      ['x', 'y'].map((groupId) => ({ name: 'flexibleRollout', parameters: { rollout: '5', groupId } })),
    ),
    'group ids',
  ],
  ['another environment', unleash([], { featureEnvironments: [] }), 'no environment'],
])('Unleash: %s makes the flag off, with the reason', (_what, flag, reason) => {
  expect(flag).toMatchObject({ isOn: false, conditions: [], reasons: [expect.stringContaining(reason)] })
})

test('Unleash: variants, requirements and the older form', () => {
  const variants = [
    { name: 'red', weight: 333, payload: { type: 'json', value: '{"a": 1}' } },
    { name: 'blue', weight: 667 },
  ]
  expect(
    unleash([{ name: 'default', variants }], {
      dependencies: [{ feature: 'a', dependencies: [{ feature: 'b', enabled: true, variants: ['x'] }] }],
    }),
  ).toMatchObject({
    kind: 'variants',
    variants: [
      { key: 'red', percentage: 33.3 },
      { key: 'blue', percentage: 66.7 },
    ],
    payloads: { red: '{"a":1}' },
    conditions: [{ conditions: [{ type: 'flag', flag: 'b', value: 'x' }] }],
  })
  const old = { version: 1, features: [{ name: 'a', enabled: true, strategies: [{ name: 'default' }] }] }
  expect(only('unleash', old)).toMatchObject({ isOn: true, conditions: [{ percentage: 100 }] })
})

const growthBook = (rules: object[], defaultValue: unknown = false) =>
  only('growthbook', { features: { a: { defaultValue, rules } } })
const whenever = (condition: object) => growthBook([{ condition, force: true }])

test('GrowthBook: rules in order, then the default', () => {
  const flag = growthBook([
    { condition: { id: 'Ana' }, force: false },
    { condition: { plan: { $in: ['1', '2'] } }, force: true, coverage: 0.2, hashAttribute: 'id' },
    { variations: [false, true], weights: [0.75, 0.25], hashAttribute: 'id' },
  ])
  expect(flag).toMatchObject({ kind: 'switch', isOn: true, reasons: [] })
  expect(flag.conditions).toEqual([
    set({ conditions: [person('distinct_id', 'regex', '^(?:Ana)$')], percentage: 0, isLast: true }),
    set({ conditions: [person('plan', 'exact', ['1', '2'])], percentage: 20 }),
    set({ percentage: 25, isLast: true }),
  ])
  expect(growthBook([], true).conditions).toEqual([set({})])
})

test('GrowthBook: the form of its API has texts and environments', () => {
  const feature = {
    id: 'a',
    valueType: 'number',
    defaultValue: '1',
    environments: {
      production: {
        enabled: true,
        rules: [{ type: 'force', enabled: true, condition: '{"plan":"1"}', value: '2' }],
      },
    },
  }
  expect(only('growthbook', { features: [feature] })).toMatchObject({
    kind: 'variants',
    variants: [{ key: '1' }, { key: '2' }],
    payloads: { '1': '1', '2': '2' },
    conditions: [{ variant: '2', conditions: [person('plan', 'exact', ['1'])] }, { variant: '1' }],
  })
})

test.each([
  [{ plan: { $ne: '1' } }, [[person('plan', 'is_not', ['1'])]]],
  [{ plan: { $gt: 3, $lte: 5 } }, [[person('plan', 'gt', 3), person('plan', 'lte', 5)]]],
  [{ plan: { $exists: false } }, [[person('plan', 'is_not_set')]]],
  [{ plan: { $vgte: '1.2.3' } }, [[person('plan', 'semver_gte', '1.2.3')]]],
  [{ plan: { $regex: '^a' } }, [[person('plan', 'regex', '^a')]]],
  [
    { seats: 3, $or: [{ plan: '1' }, { plan: '2' }] },
    [
      [person('seats', 'exact', ['3']), person('plan', 'exact', ['1'])],
      [person('seats', 'exact', ['3']), person('plan', 'exact', ['2'])],
    ],
  ],
])('GrowthBook: %j is translated', (condition, alternatives) => {
  const flag = whenever(condition)
  expect(flag.reasons).toEqual([])
  expect(flag.conditions.map(({ conditions }) => conditions)).toEqual(alternatives)
})

let nested: object = { plan: '1' }
for (let depth = 0; depth < 15; depth++) nested = { $and: [nested] }

test.each([
  ['$not', whenever({ $not: { plan: '1' } }), '$not'],
  ['a path', whenever({ 'address.city': '1' }), 'address.city'],
  ['null', whenever({ plan: null }), 'null'],
  ['$elemMatch', whenever({ plan: { $elemMatch: {} } }), '$elemMatch'],
  ['a deep condition', whenever(nested), 'unknown form'],
  ['another bucket', growthBook([{ force: true, coverage: 0.5, hashAttribute: 'company' }]), 'company'],
  ['a namespace', growthBook([{ variations: [true, false], namespace: ['x', 0, 1] }]), 'namespace'],
  ['a prerequisite', growthBook([{ force: true, parentConditions: [{ id: 'b' }] }]), 'parentConditions'],
])('GrowthBook: %s makes the flag off, with the reason', (_what, flag, reason) => {
  expect(flag).toMatchObject({ isOn: false, conditions: [], reasons: [expect.stringContaining(reason)] })
})

const state = (fields: object = {}) => ({ feature: { id: 1, name: 'a' }, enabled: true, ...fields })
const flagsmith = (own: object, segments: object[] = [], more: object = {}) =>
  only('flagsmith', { feature_states: [state(own)], project: { segments }, ...more })
const segment = (rule: object, own: object = {}, priority = 0) => ({
  name: 'Pro',
  rules: [rule],
  feature_states: [state({ ...own, feature_segment: { priority } })],
})
const condition = (operator: string, value: string) => ({ operator, property_: 'plan', value })

test('Flagsmith: single people, then segments by priority, then everyone', () => {
  const flag = flagsmith(
    { enabled: false },
    [
      segment({ type: 'ALL', conditions: [condition('EQUAL', '2')] }, { enabled: false }, 1),
      segment({ type: 'ANY', conditions: [condition('EQUAL', '1'), condition('GREATER_THAN', '5')] }, {}, 0),
    ],
    { identity_overrides: [{ identifier: '17', identity_features: [state()] }] },
  )
  expect(flag).toMatchObject({ kind: 'switch', isOn: true, reasons: [] })
  expect(flag.conditions).toEqual([
    set({ conditions: [person('distinct_id', 'exact', ['17'])] }),
    set({ description: 'Pro', conditions: [person('plan', 'exact', ['1'])] }),
    set({ description: 'Pro', conditions: [person('plan', 'gt', 5)] }),
    set({ description: 'Pro', conditions: [person('plan', 'exact', ['2'])], percentage: 0, isLast: true }),
    set({ percentage: 0, isLast: true }),
  ])
})

test('Flagsmith: values are variants', () => {
  const flag = flagsmith({
    feature_state_value: 'control',
    multivariate_feature_state_values: [
      { percentage_allocation: 30, multivariate_feature_option: { value: 'red' } },
    ],
  })
  expect(flag).toMatchObject({
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 70 },
      { key: 'red', percentage: 30 },
    ],
    payloads: { control: '"control"' },
    notes: [expect.stringContaining('another value')],
  })
})

test.each([
  ['none of', { type: 'NONE', conditions: [] }, '“NONE”'],
  ['a percentage', { type: 'ALL', conditions: [condition('PERCENTAGE_SPLIT', '10')] }, 'PERCENTAGE_SPLIT'],
  [
    'a field',
    { type: 'ALL', conditions: [{ operator: 'EQUAL', property_: '$.identity.key' }] },
    '$.identity',
  ],
])('Flagsmith: %s makes the flag off, with the reason', (_what, rule, reason) => {
  expect(flagsmith({}, [segment(rule)])).toMatchObject({
    isOn: false,
    conditions: [],
    reasons: [expect.stringContaining(reason)],
  })
})

let deep: object = {}
for (let depth = 0; depth < 5000; depth++) deep = { rules: [deep] }

test.each(['launchdarkly', 'unleash', 'flagsmith', 'growthbook'] as const)(
  '%s: another JSON is refused',
  (source) => {
    for (const json of [null, [1], {}, 'x', { features: 7 }, { feature_states: [], project: deep }])
      expect(() => readFlags(source, json, 'production')).toThrow(UnreadableFlagsError)
  },
)
