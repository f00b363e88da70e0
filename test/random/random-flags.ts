import * as fc from 'fast-check'
import type { Json, Properties } from '#events/event'
import type { CohortDefinition } from '#persons/cohort'
import type { CohortRule } from '#flags/internal/cohort-rules'
import type { EvaluationContext } from '#flags/decision'
import { type Condition, type ConditionSet, type Flag, mainEnvironment, type FlagSetting } from '#flags/flag'
import { newFlag } from '#flags/flag-input'
import { editableFlag } from '#flags/flag-schema'

/** A condition set that lets all visitors in, with these changes. */
export const aSet = (changes: Partial<ConditionSet> = {}): ConditionSet => ({
  description: '',
  conditions: [],
  percentage: 100,
  isLast: false,
  ...changes,
})

export const inProduction = (...sets: Partial<ConditionSet>[]): Record<string, FlagSetting> => ({
  [mainEnvironment]: { isOn: true, conditions: sets.map(aSet), payloads: {} },
})

/** A switch that is on for all visitors, with these changes. */
export const aFlag = (changes: Partial<Flag> & Pick<Flag, 'key'>): Flag => ({
  ...editableFlag.parse({ kind: changes.variants ? 'variants' : 'switch' }),
  id: 1,
  projectId: 1,
  hasExperiment: false,
  environments: inProduction({}),
  version: 1,
  createdBy: 'ana',
  createdAt: new Date('2026-11-01'),
  changedAt: new Date('2026-11-01'),
  archivedAt: undefined,
  ...changes,
})

export const aVariant = (key: string, percentage: number) => ({ key, name: '', percentage })

export const now = new Date('2026-11-21T12:00:00Z')

/** A visitor with complete data: properties that are not given do not exist. */
export const somebody = (changes: Partial<EvaluationContext> = {}): EvaluationContext => ({
  distinctId: 'ana',
  deviceId: undefined,
  anonymousId: undefined,
  groups: {},
  person: { properties: {}, isAll: true },
  groupProperties: {},
  isIn: () => false,
  keptIds: {},
  now,
  ...changes,
})

export const withPersonProperties = (properties: Properties): Pick<EvaluationContext, 'person'> => ({
  person: { properties, isAll: true },
})

// ── by chance ───────────────────────────────────────────────────────────────────────────────────────────────────────

const keys = [
  'plan',
  'country',
  'seats',
  'app_version',
  'tags',
  'joined',
  'distinct_id',
  'constructor',
] as const

const words = [
  'pro',
  'Pro',
  'free',
  'business',
  'DE',
  'a.b',
  'null',
  'none',
  'true',
  'false',
  'é',
  'istanbul',
  '',
]
const odd = [
  'ıstanbul',
  '\u0130stanbul',
  '\u212a',
  'ΑΣ',
  'ας',
  'buſineß',
  'BUSINESS',
  'É',
  'K',
  'k',
  'pro\r',
  'ﬁ',
  '5',
  '10',
  '1.2',
  '1.2.3',
  '2026-11-20',
  '2026-11-20T10:00:00Z',
  '1.2.3-rc.1',
  'v1.3',
  '1..3',
  '01.2.3',
  '5abc',
  'pro,free',
]
const notTexts: Json[] = [
  5,
  10,
  1.5,
  0,
  true,
  false,
  null,
  ['pro'],
  ['pro', 'free'],
  { a: 'pro' },
  [],
  [['pro'], null],
]

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Json>(...words) },
  { weight: 3, arbitrary: fc.constantFrom<Json>(...odd) },
  { weight: 3, arbitrary: fc.constantFrom<Json>(...notTexts) },
)

const properties: fc.Arbitrary<Properties> = fc.dictionary(fc.constantFrom(...keys), value, {
  maxKeys: 7,
})

const texts = fc.constantFrom(...words, ...odd, 'p', 'ro', 'u')
const patterns = fc.constantFrom(
  '^pro$',
  'r.',
  '\\d+',
  '[a-c]',
  'pro|free',
  '\\s',
  '',
  'x?',
  '^[A-Z]{2}$',
  '(?i)PRO',
  'é',
)

/** The values that each operator may be used with. */
const operatorValues = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      operator: fc.constantFrom('exact' as const, 'is_not' as const),
      value: fc.oneof<fc.Arbitrary<Json>[]>(
        texts,
        fc.array(texts, { minLength: 1, maxLength: 3 }),
        fc.constantFrom<Json>(5, true),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      operator: fc.constantFrom(
        'icontains' as const,
        'not_icontains' as const,
        'starts_with' as const,
        'not_starts_with' as const,
        'ends_with' as const,
        'not_ends_with' as const,
      ),
      value: texts,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      operator: fc.constantFrom('regex' as const, 'not_regex' as const),
      value: patterns,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ operator: fc.constantFrom('is_set' as const, 'is_not_set' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      operator: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
      value: fc.constantFrom<Json>(5, '10', 'm'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      operator: fc.constantFrom(
        'semver_eq' as const,
        'semver_neq' as const,
        'semver_gt' as const,
        'semver_caret' as const,
      ),
      value: fc.constantFrom('1.2.3', '1.2'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      operator: fc.constantFrom('is_date_before' as const, 'is_date_after' as const),
      value: fc.constantFrom('2026-11-20', '-7d'),
    }),
  },
)

const groupTypes = ['company', 'team'] as const

const personCondition: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom(...keys), operatorValues)
  .map(([key, one]): Condition => ({ type: 'person', key, ...one }))

const groupCondition: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom(...keys, '$group_key'), operatorValues, fc.constantFrom(...groupTypes))
  .map(([key, one, group]): Condition => ({ type: 'group', group, key, ...one }))

const cohortIds = ['7', '8', '9', '10', '11'] as const

/** By properties, made of each other, picked, and by what they did. */
export const cohortRules: ReadonlyMap<string, CohortRule> = new Map<string, CohortRule>([
  ['7', { is: { type: 'person', key: 'plan', operator: 'exact', value: ['pro', 'business'] } }],
  [
    '8',
    {
      any: [
        { not: { in: '7' } },
        { all: [{ is: { type: 'person', key: 'country', operator: 'is_set' } }, { in: '7' }] },
      ],
    },
  ],
  ['9', undefined],
  ['10', { did: { event: 'bought' } }],
  [
    '11',
    {
      not: {
        any: [{ is: { type: 'person', key: 'seats', operator: 'icontains', value: '1' } }, { in: '9' }],
      } satisfies CohortDefinition,
    },
  ],
])

const cohortCondition: fc.Arbitrary<Condition> = fc.record({
  type: fc.constant('cohort' as const),
  cohort: fc.constantFrom(...cohortIds),
  operator: fc.constantFrom('in' as const, 'not_in' as const),
})

const flagCondition = (flagKeys: readonly string[]): fc.Arbitrary<Condition> =>
  fc.record({
    type: fc.constant('flag' as const),
    flag: fc.constantFrom(...flagKeys),
    value: fc.constantFrom<boolean | string>(true, true, false, 'b'),
  })

const percentage = fc.oneof(
  { weight: 3, arbitrary: fc.constant(100) },
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100) },
)

const set = (condition: fc.Arbitrary<Condition>, variants: readonly string[]): fc.Arbitrary<ConditionSet> =>
  fc
    .record({
      conditions: fc.array(condition, { maxLength: 2 }),
      percentage,
      variant: fc.oneof(
        { weight: 5, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom(undefined, ...variants) },
      ),
      isLast: fc.oneof(
        { weight: 8, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    })
    .map(aSet)

const threeVariants = [aVariant('control', 33.33), aVariant('a', 33.33), aVariant('b', 33.34)]

/** A flag that may ask about those before it. */
function flagAfter(before: readonly string[], number: number): fc.Arbitrary<Flag> {
  return fc
    .record({
      variants: fc.constantFrom([], [], threeVariants),
      by: fc.constantFrom('person', 'person', 'person', 'group', 'device'),
      holdout: fc.constantFrom(undefined, undefined, undefined, { id: 3, percentage: 10 }),
      layer: fc.constantFrom(undefined, undefined, undefined, { id: 2, from: 20, until: 80 }),
      isOn: fc.constantFrom(true, true, true, true, false),
      isOdd: fc.constantFrom(false, false, false, false, true),
    })
    .chain(({ variants, by, holdout, layer, isOn, isOdd }) =>
      fc
        .array(
          set(
            conditionFor(by, isOdd, before),
            variants.map(({ key }) => key),
          ),
          { maxLength: 3 },
        )
        .map((conditions) =>
          aFlag({
            id: number + 1,
            key: `flag-${number}`,
            variants,
            kind: variants.length > 0 ? 'variants' : 'switch',
            payloads: variants.length > 0 ? { a: '{"n":1}' } : { true: '[1]' },
            bucketBy:
              by === 'group' ? { by, group: 'company' } : { by: by === 'device' ? 'device' : 'person' },
            keepsThroughSignIn: isOdd && by === 'person',
            environments: { [mainEnvironment]: { isOn, conditions, holdout, layer, payloads: {} } },
          }),
        ),
    )
}

function conditionFor(by: string, isOdd: boolean, before: readonly string[]): fc.Arbitrary<Condition> {
  const own = by === 'group' ? groupCondition : personCondition
  const others = before.length > 0 ? [{ weight: 2, arbitrary: flagCondition(before) }] : []
  return fc.oneof(
    { weight: 8, arbitrary: own },
    ...(by === 'group' && !isOdd ? [] : [{ weight: 1, arbitrary: cohortCondition }]),
    ...(isOdd ? [{ weight: 2, arbitrary: groupCondition }] : []),
    ...others,
  )
}

/** Draws this number of flags, without circular dependencies; each could have been made by a member. */
export function randomFlags(count: number, seed: number): Flag[] {
  const flags: Flag[] = []
  for (let number = 0; flags.length < count; number++) {
    const before = flags.slice(-3).map(({ key }) => key)
    const [flag] = fc.sample(flagAfter(before, number), { numRuns: 1, seed: seed + number })
    if (flag && isAllowed(flag)) flags.push(flag)
  }
  return flags
}

function isAllowed({
  key,
  kind,
  variants,
  payloads,
  bucketBy,
  keepsThroughSignIn,
  environments,
}: Flag): boolean {
  return newFlag.safeParse({ key, kind, variants, payloads, bucketBy, keepsThroughSignIn, environments })
    .success
}

/** The stored properties of a person, and those that an SDK sends along. */
export interface RandomPerson {
  distinctId: string
  deviceId: string | undefined
  groups: Record<string, string>
  stored: Properties
  sent: Properties
  company: Properties
}

export const randomPerson: fc.Arbitrary<RandomPerson> = fc.record({
  distinctId: fc.oneof(
    fc.uuid(),
    fc.constantFrom('ana', 'ünïcode', 'user@example.com', '日本', '\ud83d\ude00', ' '),
  ),
  deviceId: fc.constantFrom(undefined, 'device-1', 'device-2'),
  groups: fc.constantFrom<Record<string, string>>(
    {},
    { company: 'acme' },
    { company: 'globex', team: 'red' },
  ),
  stored: properties,
  sent: properties,
  company: properties,
})
