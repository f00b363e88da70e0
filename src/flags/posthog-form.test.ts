import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  aFlag,
  aSet,
  aVariant,
  cohortRules,
  inProduction,
  randomFlags,
  randomPerson,
  somebody,
  withPersonProperties,
} from '#test/random/random-flags'
import vectors from '#test/vectors/flag-vectors.json' with { type: 'json' }
import type { Json } from '#events/event'
import { isOperator } from '#filters/vocabulary'
import { runs, testSeed } from '#test/random/chance'
import { compileFlags } from './compile'
import { decideAll, decideOne } from './internal/decide'
import { type Condition, type Flag, mainEnvironment } from './flag'
import { neverMatchingIn } from './posthog/internal/never-matching'
import { definitionsFor, flagsInPosthogJson, fromPosthog, groupTypesIn, toPosthog } from './posthog-form'
import { whyNotLocal } from './posthog/internal/local-evaluation'

const asks = (flag: string): Condition => ({ type: 'flag', flag, value: true })
const ofPerson = (key: string, operator: string, value?: Json): Condition => {
  if (!isOperator(operator)) throw new Error(`There is no operator ${operator}`)
  return { type: 'person', key, operator, ...(value !== undefined && { value }) }
}
const asking = (condition: Condition, overrides: Partial<Flag> = {}) =>
  aFlag({ key: 'f', environments: inProduction({ conditions: [condition] }), ...overrides })

/** Out to PostHog's form and back, as the flag it would be here. */
function thereAndBack(flag: Flag, groupTypes = groupTypesIn([flag])): Flag {
  const written: unknown = JSON.parse(JSON.stringify(toPosthog(flag, mainEnvironment, groupTypes)))
  const read = fromPosthog(written, mainEnvironment, groupTypes)
  if (!read.done) throw new Error(read.problems.map(({ message }) => message).join(' '))
  return aFlag({ ...read.value, id: flag.id })
}

test('out to PostHog’s form and back, a flag decides the same', () => {
  const all = randomFlags(120, testSeed)
  // that a set is the last, PostHog says of all of them or none
  const flags = all.filter(({ environments }) => {
    const sets = environments[mainEnvironment]?.conditions ?? []
    return sets.every(({ isLast }) => isLast) || sets.every(({ isLast }) => !isLast)
  })
  const ours = compileFlags(flags, mainEnvironment, cohortRules)
  const groupTypes = groupTypesIn(flags)
  const posthogFlags = compileFlags(
    flags.map((flag) => thereAndBack(flag, groupTypes)),
    mainEnvironment,
    cohortRules,
  )
  expect(flags.length).toBeGreaterThan(60)
  fc.assert(
    fc.property(randomPerson, ({ distinctId, groups, stored, company }) => {
      const context = somebody({
        distinctId,
        groups,
        ...withPersonProperties(stored),
        groupProperties: {
          company: { properties: company, isAll: true },
          team: { properties: {}, isAll: true },
        },
      })
      const given = [ours, posthogFlags].map((compiled) =>
        decideAll(compiled, context, { asks: 'server' }).map(({ value, payload, reason }) => [
          value,
          payload,
          reason,
        ]),
      )
      expect(given[1]).toEqual(given[0])
    }),
    { numRuns: runs(100) },
  )
})

test('a flag in PostHog’s form has each of PostHog’s fields', () => {
  const flag = aFlag({
    id: 3,
    key: 'mv',
    description: 'n',
    tags: ['a'],
    contexts: ['web'],
    bucketBy: { by: 'device' },
    servedTo: 'browsers',
    variants: [aVariant('control', 50), aVariant('test', 50)],
    payloads: { test: '1' },
    earlyAccess: { name: 'Boards', description: '', stage: 'beta', documentationUrl: '' },
  })
  expect(toPosthog(flag, mainEnvironment, {})).toStrictEqual({
    id: 3,
    team_id: flag.projectId,
    key: 'mv',
    name: 'n',
    active: true,
    deleted: false,
    version: flag.version,
    ensure_experience_continuity: false,
    evaluation_runtime: 'client',
    has_experiment: false,
    bucketing_identifier: 'device_id',
    evaluation_contexts: ['web'],
    tags: ['a'],
    is_remote_configuration: false,
    has_encrypted_payloads: false,
    filters: {
      groups: [{ properties: [], rollout_percentage: 100, variant: null }],
      multivariate: {
        variants: [
          { key: 'control', name: '', rollout_percentage: 50 },
          { key: 'test', name: '', rollout_percentage: 50 },
        ],
      },
      payloads: { test: '1' },
      feature_enrollment: true,
    },
  })
})

test('the body of /flags/definitions', () => {
  const flags = [
    aFlag({ key: 'simple', description: 'n', tags: ['a'] }),
    aFlag({
      id: 2,
      key: 'mv',
      variants: [aVariant('control', 50), aVariant('test', 50)],
      payloads: { test: '{"c":1}' },
      environments: inProduction({ conditions: [ofPerson('seats', 'exact', [5, 'pro'])] }),
    }),
    asking({ type: 'cohort', cohort: '7', operator: 'in' }, { id: 3, key: 'coh' }),
    aFlag({ id: 4, key: 'grp', bucketBy: { by: 'group', group: 'company' }, servedTo: 'servers' }),
    asking(asks('dep'), { id: 6, key: 'deeper' }),
    asking(asks('simple'), { id: 5, key: 'dep', bucketBy: { by: 'device' } }),
    aFlag({ id: 7, key: 'browsers', servedTo: 'browsers' }),
    aFlag({ id: 8, key: 'old', archivedAt: new Date() }),
    aFlag({ id: 9, key: 'off', environments: {} }),
    aFlag({
      id: 10,
      key: 'secret',
      kind: 'config',
      isSecret: true,
      servedTo: 'servers',
      payloads: { true: '"x"' },
    }),
  ]
  const body = definitionsFor(flags, mainEnvironment, cohortRules)
  expect(body).toMatchObject({
    flags: [
      {
        id: 1,
        key: 'simple',
        name: 'n',
        tags: ['a'],
        active: true,
        evaluation_runtime: 'all',
        ensure_experience_continuity: false,
        filters: { groups: [{ properties: [], rollout_percentage: 100, variant: null }] },
      },
      {
        key: 'mv',
        filters: {
          groups: [
            { properties: [{ key: 'seats', type: 'person', operator: 'exact', value: ['5', 'pro'] }] },
          ],
          multivariate: {
            variants: [
              { key: 'control', rollout_percentage: 50 },
              { key: 'test', rollout_percentage: 50 },
            ],
          },
          payloads: { test: '{"c":1}' },
        },
      },
      {
        key: 'coh',
        filters: { groups: [{ properties: [{ key: 'id', type: 'cohort', value: '7', operator: 'in' }] }] },
      },
      { key: 'grp', evaluation_runtime: 'server', filters: { aggregation_group_type_index: 0 } },
      {
        key: 'deeper',
        filters: {
          groups: [
            {
              properties: [
                {
                  key: 'dep',
                  type: 'flag',
                  value: true,
                  operator: 'flag_evaluates_to',
                  dependency_chain: ['simple', 'dep'],
                },
              ],
            },
          ],
        },
      },
      { key: 'dep', bucketing_identifier: 'device_id' },
      { key: 'off', active: false },
      {
        key: 'secret',
        has_encrypted_payloads: true,
        is_remote_configuration: true,
        filters: { payloads: {}, groups: [{ rollout_percentage: 100 }] },
      },
    ],
    group_type_mapping: { '0': 'company' },
    cohorts: {
      '7': {
        type: 'AND',
        values: [
          { key: 'plan', type: 'person', operator: 'exact', value: ['pro', 'business'], negation: false },
        ],
      },
    },
    property_matching_version: 2,
  })
  expect(Object.keys(body.cohorts)).toEqual(['7'])
})

test('what SDKs would decide otherwise is left to the server, all of it', () => {
  const sets = [{ conditions: [ofPerson('seats', 'between', [1, 5])], variant: 'b' }, { percentage: 10 }]
  const flag = aFlag({
    key: 'f',
    variants: [aVariant('a', 50), aVariant('b', 50)],
    environments: {
      [mainEnvironment]: {
        isOn: true,
        conditions: sets.map(aSet),
        holdout: { id: 3, percentage: 10 },
        payloads: {},
      },
    },
  })
  const [given] = definitionsFor([flag], mainEnvironment).flags
  const properties = [{ key: 'id', type: 'cohort', operator: 'in', value: 'decided-by-the-server' }]
  expect(given?.ensure_experience_continuity).toBe(false)
  expect(given?.filters.groups).toEqual([
    { properties, rollout_percentage: 100, variant: 'b' },
    { properties, rollout_percentage: 10, variant: null },
  ])
  expect(given?.filters.holdout).toBeUndefined()
})

test('dates are given with their zone', () => {
  const flag = asking(ofPerson('joined', 'is_date_before', '2026-11-01 10:00:00'))
  const [given] = definitionsFor([flag], mainEnvironment).flags
  expect(given?.filters.groups[0]?.properties[0]?.value).toBe('2026-11-01T10:00:00.000Z')
})

test('a circle has no order to be decided in', () => {
  const flags = [asking(asks('b'), { key: 'a' }), asking(asks('a'), { key: 'b' })]
  const [a] = definitionsFor(flags, mainEnvironment).flags
  expect(a?.filters.groups[0]?.properties[0]?.dependency_chain).toEqual([])
})

describe('why a flag is not decided by SDKs', () => {
  const local = aFlag({ key: 'local' })
  const cases: [string, Flag, RegExp | undefined][] = [
    ['a plain one', local, undefined],
    ['a property', asking(ofPerson('plan', 'exact', ['pro'])), undefined],
    ['a true one', asking(ofPerson('isStaff', 'exact', ['true'])), undefined],
    ['a prefix', asking(ofPerson('email', 'starts_with', 'ana')), undefined],
    ['a pattern', asking(ofPerson('email', 'regex', '@example[.]com$')), undefined],
    ['a cohort by properties', asking({ type: 'cohort', cohort: '8', operator: 'not_in' }), undefined],
    ['a dependency', asking(asks('local')), undefined],
    ['kept through sign-in', { ...local, keepsThroughSignIn: true }, /before sign-in/],
    [
      'early access',
      { ...local, earlyAccess: { name: 'F', description: '', stage: 'beta', documentationUrl: '' } },
      /opt in/,
    ],
    ['a false one', asking(ofPerson('isStaff', 'exact', ['False'])), /older SDKs/],
    ['numbers in order', asking(ofPerson('seats', 'gt', 5)), undefined],
    ['texts in order', asking(ofPerson('seats', 'gt', '5')), /look like numbers/],
    ['a day', asking(ofPerson('joined', 'is_date_after', '2026-11-01')), undefined],
    ['a date of an hour', asking(ofPerson('joined', 'is_date_before', '2026-11-01 10:00')), undefined],
    ['days ago', asking(ofPerson('joined', 'is_date_after', '-7d')), undefined],
    ['months ago', asking(ofPerson('joined', 'is_date_after', '-2m')), /this date otherwise/],
    ['a version', asking(ofPerson('app', 'semver_gte', '1.2.3')), undefined],
    ['a version with more', asking(ofPerson('app', 'semver_eq', '1.2.3.4')), /this version otherwise/],
    ['versions', asking(ofPerson('app', 'semver_wildcard', '1.2.*')), undefined],
    ['three-part versions', asking(ofPerson('app', 'semver_wildcard', '1.2.3.*')), /this version otherwise/],
    ['a version that is none', asking(ofPerson('app', 'semver_eq', 'latest')), /never matches/],
    ['letters beyond ASCII', asking(ofPerson('city', 'exact', ['Köln'])), /beyond ASCII/],
    ['what null contains', asking(ofPerson('city', 'icontains', 'UL')), /null/],
    ['what null begins with', asking(ofPerson('city', 'not_starts_with', 'nu')), /null/],
    ['what null matches', asking(ofPerson('city', 'regex', '^.+$')), /null/],
    ['between', asking(ofPerson('seats', 'between', [1, 2])), /do not know/],
    [
      'a cohort of who did something',
      asking({ type: 'cohort', cohort: '10', operator: 'in' }),
      /only Tilth knows/,
    ],
    [
      'a cohort made with one that was picked',
      asking({ type: 'cohort', cohort: '11', operator: 'in' }),
      /only Tilth knows/,
    ],
    ['a deleted cohort', asking({ type: 'cohort', cohort: 'gone', operator: 'in' }), /only Tilth knows/],
    ['a dependency that is gone', asking(asks('gone')), /servers do not receive/],
    [
      'a group’s property of persons',
      asking({ type: 'group', group: 'company', key: 'tier', operator: 'is_set' }),
      /not at both/,
    ],
    [
      'a person’s property of groups',
      asking(ofPerson('plan', 'is_set'), { bucketBy: { by: 'group', group: 'company' } }),
      /not at both/,
    ],
    [
      'sets that give different things',
      aFlag({
        key: 'f',
        variants: [aVariant('a', 50), aVariant('b', 50)],
        environments: inProduction({ conditions: [ofPerson('plan', 'is_set')], variant: 'a' }, {}),
      }),
      /different things/,
    ],
    [
      'sets that give the same',
      aFlag({
        key: 'f',
        environments: inProduction({ conditions: [ofPerson('plan', 'is_set')] }, { percentage: 10 }),
      }),
      undefined,
    ],
    [
      'only some sets the last',
      aFlag({ key: 'f', environments: inProduction({ percentage: 10, isLast: true }, { percentage: 10 }) }),
      /all sets or none/,
    ],
  ]

  test.each(cases)('%s', (_name, flag, reason) => {
    const found = whyNotLocal(flag, mainEnvironment, [flag, local], cohortRules)
    if (reason) expect(found).toMatch(reason)
    else expect(found).toBeUndefined()
  })
})

describe('PostHog’s table of operators', () => {
  const rows = vectors.propertyMatching.flatMap(({ operator = 'exact', value, actual, v2 }) =>
    isOperator(operator) && typeof v2 === 'boolean' ? [{ operator, value, actual, v2 }] : [],
  )

  test('has enough to say', () => expect(rows.length).toBeGreaterThan(60))

  test.each(rows)('$operator $value of $actual: $v2, or SDKs ask us', ({ operator, value, actual, v2 }) => {
    const flag = asking({ type: 'person', key: 'it', operator, value })
    const reason = whyNotLocal(flag, mainEnvironment, [flag])
    const ours = decideOne(
      compileFlags([flag], mainEnvironment),
      'f',
      somebody(withPersonProperties({ it: actual })),
    )
    expect(reason ?? ours?.value).toBe(reason ?? v2)
  })
})

describe('what PostHog gives', () => {
  const read = (given: object, groupTypes = {}) =>
    fromPosthog({ key: 'f', ...given }, mainEnvironment, groupTypes)
  const settingOf = (given: object, groupTypes = {}) => {
    const outcome = read(given, groupTypes)
    return outcome.done ? outcome.value.environments[mainEnvironment] : outcome
  }

  test('the least there can be', () => {
    expect(read({ filters: null })).toMatchObject({
      done: true,
      value: { kind: 'switch', environments: { production: { isOn: true, conditions: [] } } },
    })
  })

  test('what it leaves out counts as it does there', () => {
    const filters = {
      groups: [{ properties: [{ key: 'plan', value: 'pro' }], rollout_percentage: null, variant: 'gone' }],
    }
    expect(settingOf({ filters })?.['conditions' as never]).toEqual([
      aSet({
        conditions: [{ type: 'person', key: 'plan', operator: 'exact', value: 'pro' }],
        variant: undefined,
      }),
    ])
  })

  test('payloads of all ages', () => {
    const filters = {
      multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
      payloads: { a: { color: 'blue' }, true: 'no json', gone: '1' },
    }
    expect(read({ filters })).toMatchObject({
      value: { payloads: { a: '{"color":"blue"}', true: '"no json"' } },
    })
  })

  test('holdouts, new and old', () => {
    expect(settingOf({ filters: { holdout: { id: 3, exclusion_percentage: 10 } } })).toMatchObject({
      holdout: { id: 3, percentage: 10 },
    })
    expect(
      settingOf({ filters: { holdout_groups: [{ rollout_percentage: 20, variant: 'holdout-4' }] } }),
    ).toMatchObject({ holdout: { id: 4, percentage: 20 } })
  })

  test('conditions turned round', () => {
    const properties = [
      { key: 'id', type: 'cohort', value: 7, negation: true },
      { key: 'plan', type: 'person', operator: 'icontains', value: 'pro', negation: true },
    ]
    expect(settingOf({ filters: { groups: [{ properties }] } })).toMatchObject({
      conditions: [
        { conditions: [{ type: 'cohort', cohort: '7', operator: 'not_in' }, { operator: 'not_icontains' }] },
      ],
    })
  })

  test('groups by the names of their types', () => {
    const filters = {
      aggregation_group_type_index: 1,
      groups: [
        {
          properties: [{ key: 'tier', type: 'group', group_type_index: 1, operator: 'exact', value: ['1'] }],
        },
      ],
    }
    expect(read({ filters }, { '1': 'team' })).toMatchObject({
      value: {
        bucketBy: { by: 'group', group: 'team' },
        environments: { production: { conditions: [{ conditions: [{ type: 'group', group: 'team' }] }] } },
      },
    })
  })

  test('taking part, and every other word of it', () => {
    expect(
      read({
        name: 'New',
        active: false,
        ensure_experience_continuity: true,
        evaluation_runtime: 'client',
        evaluation_tags: ['web'],
        tags: ['growth'],
        filters: { super_groups: [{}], early_exit: true, groups: [{}] },
      }),
    ).toMatchObject({
      value: {
        description: 'New',
        keepsThroughSignIn: true,
        servedTo: 'browsers',
        contexts: ['web'],
        tags: ['growth'],
        earlyAccess: { name: 'New', stage: 'beta' },
        environments: { production: { isOn: false, conditions: [{ isLast: true, percentage: 100 }] } },
      },
    })
  })

  test.each<[string, object, object, string]>([
    ['a pattern that is none', { operator: 'regex', value: '?*' }, { value: '?*' }, 'regular expression'],
    ['a version that is none', { operator: 'semver_neq', value: 'x' }, { value: 'x' }, 'no version'],
    ['a date that is none', { operator: 'is_date_before', value: 1234 }, { value: 1234 }, 'no date'],
    ['more than nothing', { operator: 'gt', value: null }, { value: null }, 'needs a value'],
  ])('%s never matches, which is remarked', (_name, given, kept, remark) => {
    const properties = [{ key: 'a', type: 'person', ...given }]
    const outcome = read({ filters: { groups: [{ properties }] } })
    if (!outcome.done) throw new Error('It was refused')
    const flag = aFlag({ ...outcome.value })
    expect(flag.environments[mainEnvironment]?.conditions[0]?.conditions[0]).toMatchObject(kept)
    expect(neverMatchingIn(flag)).toEqual([expect.stringMatching(new RegExp(`${remark}.* It never matches`))])
    for (const a of ['?*', 'x', '1.2.3', '2020-01-01', 5, null, undefined]) {
      const whom = somebody(withPersonProperties(a === undefined ? {} : { a }))
      expect(decideOne(compileFlags([flag], mainEnvironment), 'f', whom)?.value).toBe(false)
    }
  })

  test.each<[string, object, object]>([
    ['an empty list', { operator: 'exact', value: [] }, { operator: 'exact', value: ['true'] }],
    ['one of a list', { operator: 'in', value: ['a'] }, { operator: 'exact', value: ['a'] }],
    ['none of a list', { operator: 'not_in', value: ['a'] }, { operator: 'is_not', value: ['a'] }],
    ['at least', { operator: 'min', value: 3 }, { operator: 'gte', value: 3 }],
    [
      'contains one of',
      { operator: 'icontains_multi', value: ['a.b', 'c'] },
      { operator: 'regex', value: String.raw`(?i)(?:a\.b|c)` },
    ],
    [
      'a date in words',
      { operator: 'is_date_after', value: 'May 1, 2022' },
      { operator: 'is_date_after', value: '2022-05-01T00:00:00.000Z' },
    ],
  ])('%s', (_name, given, kept) => {
    const properties = [{ key: 'a', type: 'person', ...given }]
    expect(settingOf({ filters: { groups: [{ properties }] } })).toMatchObject({
      conditions: [{ conditions: [{ key: 'a', ...kept }] }],
    })
  })

  test('groups named in place of their number', () => {
    const properties = [{ key: 'tier', type: 'group', group_type_index: 'company', value: ['1'] }]
    expect(
      read({ filters: { aggregation_group_type_index: 'company', groups: [{ properties }] } }),
    ).toMatchObject({
      value: {
        bucketBy: { by: 'group', group: 'company' },
        environments: { production: { conditions: [{ conditions: [{ type: 'group', group: 'company' }] }] } },
      },
    })
  })

  test.each<[string, object, RegExp]>([
    [
      'a pattern that only PostHog matches',
      { filters: { groups: [{ properties: [{ key: 'a', operator: 'regex', value: 'a(?!b)' }] }] } },
      /looks ahead/,
    ],
    [
      'both persons and groups',
      { filters: { groups: [{ aggregation_group_type_index: 0 }, {}] } },
      /Make a flag of each/,
    ],
    ['a type of groups without a name', { filters: { aggregation_group_type_index: 2 } }, /type number 2/],
    [
      'what has no opposite',
      { filters: { groups: [{ properties: [{ key: 'a', operator: 'gt', value: 1, negation: true }] }] } },
      /no opposite/,
    ],
    ['finer than here', { filters: { groups: [{ rollout_percentage: 33.333 }] } }, /steps of 0.01/],
    [
      'an operator of tomorrow',
      { filters: { groups: [{ properties: [{ key: 'a', operator: 'near', value: 1 }] }] } },
      /no operator "near"/,
    ],
    ['nothing of the kind', { filters: 7 }, /Give an object/],
  ])('%s: a sentence', (_name, given, sentence) => {
    const outcome = read(given)
    expect(outcome.done ? '' : outcome.problems.map(({ message }) => message).join(' ')).toMatch(sentence)
  })

  test('endlessly nested input does not crash it', () => {
    let deep: Json = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    const sentences = (given: object) => {
      const outcome = read(given)
      return outcome.done ? '' : outcome.problems.map(({ message }) => message).join(' ')
    }
    expect(sentences({ filters: { payloads: { true: deep } } })).toMatch(/nested at most 50 times/)
    const properties = [{ key: 'a', value: deep }]
    expect(sentences({ filters: { groups: [{ properties }] } })).toMatch(/a list of them that is not empty/)
    const cohort = [{ key: 'id', type: 'cohort', value: deep }]
    expect(sentences({ filters: { groups: [{ properties: cohort }] } })).toMatch(
      /A condition is on a property/,
    )
  })

  test.each<[string, unknown, number | undefined]>([
    ['one flag', { key: 'a', filters: {} }, 1],
    ['a list', [{ key: 'a' }, { key: 'b' }], 2],
    ['a page of the API', { count: 2, results: [{ key: 'a' }, { key: 'b' }] }, 2],
    ['definitions', { flags: [{ key: 'a' }], group_type_mapping: { '0': 'company' } }, 1],
    [
      'with the types of groups',
      { results: [{ key: 'a' }], group_types: [{ group_type: 'company', group_type_index: 0 }] },
      1,
    ],
    ['something else', { hello: 1 }, undefined],
    ['a text', 'flags', undefined],
  ])('%s', (_name, given, count) => expect(flagsInPosthogJson(given)?.flags.length).toBe(count))

  test('flags it names by number are named by key', () => {
    const dependent = {
      id: 12,
      key: 'b',
      filters: {
        groups: [{ properties: [{ key: '11', type: 'flag', value: true, operator: 'flag_evaluates_to' }] }],
      },
    }
    const found = flagsInPosthogJson([{ id: 11, key: 'a' }, dependent])
    expect(found?.flags[1]).toMatchObject({ filters: { groups: [{ properties: [{ key: 'a' }] }] } })
  })
})
