import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectedFlagValue } from '#test/plain/flags'
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
import type { FilterAnswer } from '#filters/filter'
import { runs, testSeed } from '#test/random/chance'
import { bucketOf } from '../bucket'
import { compileFlags } from '../compile'
import { decideAll, decideOne, type DecideOptions } from './decide'
import type { EvaluationContext, DecisionReasonCode } from '../decision'
import { type Condition, type Flag, mainEnvironment } from '../flag'
import { newFlag } from '../flag-input'

const isPro: Condition = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
const asks = (flag: string, value: boolean | string = true): Condition => ({ type: 'flag', flag, value })
const variants = [aVariant('control', 50), aVariant('test', 50)]

const valueOf = (flags: readonly Flag[], key: string, overrides: Partial<EvaluationContext> = {}) =>
  decideOne(compileFlags(flags, mainEnvironment), key, somebody(overrides))

/** Letters of the name come after one another, so some of a hundred are below any percentage. */
const hundred = Array.from({ length: 100 }, (_, i) => `id-${i}`)
const first = (test_: (id: string) => boolean) => hundred.find(test_) ?? 'nobody'
const inHalf = first((id) => bucketOf('half', id) <= 0.5)
const outOfHalf = first((id) => bucketOf('half', id) > 0.5)

describe('what a visitor gets, and why', () => {
  const half = (overrides: Partial<Flag> = {}) =>
    aFlag({ key: 'half', environments: inProduction({ percentage: 50 }), ...overrides })
  const cases: [
    string,
    Flag[],
    Partial<EvaluationContext>,
    boolean | string,
    DecisionReasonCode,
    number | undefined,
  ][] = [
    ['everybody', [aFlag({ key: 'half' })], {}, true, 'condition_match', 0],
    ['no set at all', [half({ environments: inProduction() })], {}, false, 'no_condition_match', undefined],
    [
      'a configuration needs none',
      [half({ kind: 'config', environments: inProduction() })],
      {},
      true,
      'condition_match',
      0,
    ],
    ['in the half', [half()], { distinctId: inHalf }, true, 'condition_match', 0],
    ['out of the half', [half()], { distinctId: outOfHalf }, false, 'out_of_rollout_bound', 0],
    [
      'nobody at 0 percent',
      [half({ environments: inProduction({ percentage: 0 }) })],
      { distinctId: inHalf },
      false,
      'out_of_rollout_bound',
      0,
    ],
    [
      'off',
      [half({ environments: { production: { isOn: false, conditions: [aSet()], payloads: {} } } })],
      {},
      false,
      'flag_disabled',
      undefined,
    ],
    ['off where nobody set it', [half({ environments: {} })], {}, false, 'flag_disabled', undefined],
    ['archived', [half({ archivedAt: new Date() })], {}, false, 'flag_disabled', undefined],
    [
      'conditions hold',
      [half({ environments: inProduction({ conditions: [isPro] }) })],
      withPersonProperties({ plan: 'PRO' }),
      true,
      'condition_match',
      0,
    ],
    [
      'conditions do not hold',
      [half({ environments: inProduction({ conditions: [isPro] }) })],
      withPersonProperties({ plan: 'free' }),
      false,
      'no_condition_match',
      undefined,
    ],
    [
      'the second set',
      [half({ environments: inProduction({ conditions: [isPro] }, {}) })],
      withPersonProperties({}),
      true,
      'condition_match',
      1,
    ],
    [
      'rollout counts more than no match',
      [half({ environments: inProduction({ percentage: 50 }, { conditions: [isPro] }) })],
      { distinctId: outOfHalf },
      false,
      'out_of_rollout_bound',
      0,
    ],
    [
      'the next set lets in',
      [half({ environments: inProduction({ percentage: 50 }, {}) })],
      { distinctId: outOfHalf },
      true,
      'condition_match',
      1,
    ],
    [
      'but not after the last',
      [half({ environments: inProduction({ percentage: 50, isLast: true }, {}) })],
      { distinctId: outOfHalf },
      false,
      'out_of_rollout_bound',
      0,
    ],
    [
      'a set’s own variant',
      [half({ variants, environments: inProduction({ variant: 'test' }) })],
      {},
      'test',
      'condition_match',
      0,
    ],
    [
      'a variant that is gone counts as none',
      [half({ variants: [aVariant('a', 100)], environments: inProduction({ variant: 'gone' }) })],
      {},
      'a',
      'condition_match',
      0,
    ],
    [
      'no group',
      [half({ bucketBy: { by: 'group', group: 'company' } })],
      {},
      false,
      'no_group_type',
      undefined,
    ],
    [
      'the group’s bucket',
      [half({ bucketBy: { by: 'group', group: 'company' } })],
      { distinctId: outOfHalf, groups: { company: inHalf } },
      true,
      'condition_match',
      0,
    ],
    [
      'the device’s bucket',
      [half({ bucketBy: { by: 'device' } })],
      { distinctId: outOfHalf, deviceId: inHalf },
      true,
      'condition_match',
      0,
    ],
    [
      'without a device, the person’s',
      [half({ bucketBy: { by: 'device' } })],
      { distinctId: inHalf },
      true,
      'condition_match',
      0,
    ],
    [
      'as before they signed in',
      [half({ keepsThroughSignIn: true })],
      { distinctId: outOfHalf, keptIds: { half: inHalf } },
      true,
      'condition_match',
      0,
    ],
    [
      'while they sign in',
      [half({ keepsThroughSignIn: true })],
      { distinctId: outOfHalf, anonymousId: inHalf },
      true,
      'condition_match',
      0,
    ],
    [
      'what was kept before counts',
      [half({ keepsThroughSignIn: true })],
      { distinctId: outOfHalf, anonymousId: outOfHalf, keptIds: { half: inHalf } },
      true,
      'condition_match',
      0,
    ],
    [
      'a flag that does not keep',
      [half()],
      { distinctId: outOfHalf, anonymousId: inHalf, keptIds: { half: inHalf } },
      false,
      'out_of_rollout_bound',
      0,
    ],
    [
      'what was kept cannot be asked',
      [half({ keepsThroughSignIn: true })],
      { keptIds: undefined },
      false,
      'undecided',
      undefined,
    ],
    [
      'a property nobody could ask',
      [half({ environments: inProduction({ conditions: [isPro] }) })],
      { person: { properties: {}, isAll: false } },
      false,
      'undecided',
      undefined,
    ],
    [
      'unless it does not matter',
      [half({ environments: inProduction({ conditions: [isPro] }, {}) })],
      { person: { properties: {}, isAll: false } },
      true,
      'condition_match',
      1,
    ],
    [
      'unless they would be out anyway',
      [half({ environments: inProduction({ conditions: [isPro], percentage: 50 }) })],
      { distinctId: outOfHalf, person: { properties: {}, isAll: false } },
      false,
      'no_condition_match',
      undefined,
    ],
    [
      'a version that is none',
      [
        half({
          environments: inProduction({
            conditions: [{ type: 'person', key: 'v', operator: 'semver_gt', value: '1.0.0' }],
          }),
        }),
      ],
      withPersonProperties({ v: 'dev' }),
      false,
      'no_condition_match',
      undefined,
    ],
    [
      'a group’s property',
      [
        half({
          environments: inProduction({
            conditions: [{ type: 'group', group: 'company', key: 'tier', operator: 'is_not', value: ['1'] }],
          }),
        }),
      ],
      {
        groups: { company: 'acme' },
        groupProperties: { company: { properties: { tier: '2' }, isAll: true } },
      },
      true,
      'condition_match',
      0,
    ],
    [
      'of a group that is not there',
      [
        half({
          environments: inProduction({
            conditions: [{ type: 'group', group: 'company', key: 'tier', operator: 'is_not', value: ['1'] }],
          }),
        }),
      ],
      {},
      false,
      'no_condition_match',
      undefined,
    ],
    [
      'a cohort',
      [
        half({
          environments: inProduction({ conditions: [{ type: 'cohort', cohort: '9', operator: 'in' }] }),
        }),
      ],
      { isIn: (id) => id === '9' },
      true,
      'condition_match',
      0,
    ],
    [
      'not in a cohort',
      [
        half({
          environments: inProduction({ conditions: [{ type: 'cohort', cohort: '9', operator: 'not_in' }] }),
        }),
      ],
      { isIn: (id) => id === '9' },
      false,
      'no_condition_match',
      undefined,
    ],
    [
      'a cohort nobody could ask',
      [
        half({
          environments: inProduction({ conditions: [{ type: 'cohort', cohort: '9', operator: 'not_in' }] }),
        }),
      ],
      { isIn: () => 'unknown' },
      false,
      'undecided',
      undefined,
    ],
  ]

  test.each(cases)('%s', (_name, flags, asked, value, code, condition) => {
    expect(valueOf(flags, 'half', asked)).toMatchObject({ value, reason: { code, condition } })
  })
})

describe('before any condition', () => {
  const held = (percentage: number) =>
    aFlag({
      key: 'f',
      environments: {
        production: { isOn: true, conditions: [aSet()], holdout: { id: 7, percentage }, payloads: {} },
      },
    })
  const access = { name: 'F', description: '', stage: 'beta', documentationUrl: '' } as const

  test('a held-out person gets the holdout’s value', () => {
    expect(valueOf([held(100)], 'f')).toMatchObject({
      value: 'holdout-7',
      reason: { code: 'holdout_condition_value' },
    })
    expect(valueOf([held(0)], 'f')).toMatchObject({ value: true })
  })

  test('a holdout takes its share of people, the same for every flag', () => {
    const others = held(30)
    const twin = { ...others, key: 'g' }
    const out = hundred.map((distinctId) =>
      [others, twin].map((flag) => valueOf([flag], flag.key, { distinctId })?.value),
    )
    expect(out.every(([one, other]) => one === other)).toBe(true)
    expect(out.filter(([one]) => one === 'holdout-7').length).toBeGreaterThan(10)
    expect(out.filter(([one]) => one === 'holdout-7').length).toBeLessThan(60)
  })

  test.each([
    ['true', true, 'super_condition_value'],
    [true, true, 'super_condition_value'],
    [false, false, 'super_condition_value'],
    ['no', false, 'super_condition_value'],
    [null, false, 'no_condition_match'],
  ])('who said %s to taking part gets %s', (choice, value, code) => {
    const flag = aFlag({ key: 'f', earlyAccess: access, environments: inProduction({ conditions: [isPro] }) })
    expect(valueOf([flag], 'f', withPersonProperties({ '$feature_enrollment/f': choice }))).toMatchObject({
      value,
      reason: { code },
    })
  })

  test('who never said gets what the sets say, and who could not be asked nothing for sure', () => {
    const flag = aFlag({ key: 'f', earlyAccess: access })
    expect(valueOf([flag], 'f', withPersonProperties({}))).toMatchObject({
      value: true,
      reason: { code: 'condition_match' },
    })
    const unasked = { person: { properties: {}, isAll: false } }
    expect(valueOf([flag], 'f', unasked)).toMatchObject({ value: false, reason: { code: 'undecided' } })
  })

  test('taking part counts more than being held out', () => {
    const flag = { ...held(100), earlyAccess: access }
    expect(valueOf([flag], 'f', withPersonProperties({ '$feature_enrollment/f': 'true' }))).toMatchObject({
      value: true,
    })
  })
})

describe('flags that depend on flags', () => {
  const on = aFlag({ key: 'base', variants })
  const dependent = (condition: Condition) =>
    aFlag({ key: 'f', environments: inProduction({ conditions: [condition] }) })

  test.each([
    [true, (value: unknown) => value !== false],
    [false, () => false],
    ['control', (value: unknown) => value === 'control'],
  ] as const)('%s is what the other must give', (wanted, accepts) => {
    for (const distinctId of hundred) {
      const [base, f] = ['base', 'f'].map(
        (key) => valueOf([dependent(asks('base', wanted)), on], key, { distinctId })?.value,
      )
      expect(f).toBe(accepts(base))
    }
  })

  test('one that is off gives false', () => {
    const off = { ...on, environments: {} }
    expect(valueOf([dependent(asks('base', false)), off], 'f')?.value).toBe(true)
    expect(valueOf([dependent(asks('base')), off], 'f')?.value).toBe(false)
  })

  test('one that is undecided leaves undecided', () => {
    const unsure = aFlag({ key: 'base', environments: inProduction({ conditions: [isPro] }) })
    const asked = { person: { properties: {}, isAll: false } }
    expect(valueOf([dependent(asks('base')), unsure], 'f', asked)).toMatchObject({
      value: false,
      reason: { code: 'undecided' },
    })
  })

  test('one that is not there', () => {
    expect(valueOf([dependent(asks('gone'))], 'f')).toMatchObject({
      value: false,
      reason: { code: 'missing_dependency' },
    })
  })

  test('in a circle, no one says anything wrong', () => {
    const circle = ['a', 'b', 'c'].map((key, i) =>
      aFlag({ key, environments: inProduction({ conditions: [asks(['b', 'c', 'a'][i] ?? '')] }) }),
    )
    const flags = [...circle, dependent(asks('a')), aFlag({ key: 'other' })]
    const compiled = compileFlags(flags, mainEnvironment)
    const decisions = decideAll(compiled, somebody(), { asks: 'server' })
    expect(Object.fromEntries(decisions.map(({ flag, reason }) => [flag.key, reason.code]))).toEqual({
      a: 'undecided',
      b: 'undecided',
      c: 'undecided',
      f: 'undecided',
      other: 'condition_match',
    })
  })

  test('a thousand of them, each on the one before', () => {
    const flags = Array.from({ length: 1000 }, (_, i) =>
      aFlag({ key: `f${i}`, environments: inProduction(i === 0 ? {} : { conditions: [asks(`f${i - 1}`)] }) }),
    ).toReversed()
    expect(valueOf(flags, 'f999')?.value).toBe(true)
  })
})

describe('who is given which flags', () => {
  const keysFor = (flags: Flag[], wish: DecideOptions) =>
    decideAll(compileFlags(flags, mainEnvironment), somebody(), wish).map(({ flag }) => flag.key)
  const flags = [
    aFlag({ key: 'all' }),
    aFlag({ key: 'browsers', servedTo: 'browsers' }),
    aFlag({ key: 'servers', servedTo: 'servers' }),
    aFlag({ key: 'web', contexts: ['web', 'docs'] }),
    aFlag({ key: 'app', contexts: ['app'] }),
    aFlag({
      key: 'secret',
      kind: 'config',
      isSecret: true,
      servedTo: 'servers',
      payloads: { true: '"sealed"' },
    }),
    aFlag({ key: 'old', archivedAt: new Date() }),
  ]

  test.each<[string, DecideOptions, string[]]>([
    ['a browser', { asks: 'browser' }, ['all', 'browsers', 'web', 'app']],
    ['a server', { asks: 'server' }, ['all', 'servers', 'web', 'app', 'secret']],
    ['who names a context', { asks: 'browser', contexts: ['docs'] }, ['all', 'browsers', 'web']],
    [
      'who names flags',
      { asks: 'browser', flagKeys: ['web', 'all', 'all', 'servers', 'gone', '__proto__'] },
      ['web', 'all'],
    ],
    ['who asks for what is archived', { asks: 'browser', flagKeys: ['old'] }, ['old']],
  ])('%s', (_name, wish, keys) => expect(keysFor(flags, wish)).toEqual(keys))

  test('what is secret is in no decision', () => {
    expect(decideOne(compileFlags(flags, mainEnvironment), 'secret', somebody())?.payload).toBeUndefined()
  })

  test('to another flag, one of another context is off, as to PostHog’s SDKs', () => {
    const dependent = aFlag({ key: 'f', environments: inProduction({ conditions: [asks('app')] }) })
    const compiled = compileFlags([...flags, dependent], mainEnvironment)
    const given = (contexts?: string[]) =>
      decideAll(compiled, somebody(), { asks: 'server', flagKeys: ['f'], contexts })[0]?.value
    expect([given(), given(['app']), given(['docs'])]).toEqual([true, true, false])
  })
})

test('an environment has its own setting, and its own payloads before the flag’s', () => {
  const flag = aFlag({
    key: 'f',
    payloads: { true: '1' },
    environments: {
      production: { isOn: true, conditions: [aSet()], payloads: {} },
      staging: { isOn: true, conditions: [aSet()], payloads: { true: '2' } },
      closed: { isOn: false, conditions: [aSet()], payloads: { true: '3' } },
    },
  })
  const given = (environment: string) => decideOne(compileFlags([flag], environment), 'f', somebody())
  expect(['production', 'staging', 'closed', 'constructor'].map((name) => given(name)?.payload)).toEqual([
    '1',
    '2',
    undefined,
    undefined,
  ])
})

test('names that mean something to JavaScript are names like any other', () => {
  const flags = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'].map((key) =>
    aFlag({
      key,
      keepsThroughSignIn: true,
      variants: [aVariant('constructor', 100)],
      environments: inProduction({ conditions: [{ type: 'person', key, operator: 'is_not_set' }] }),
    }),
  )
  const decisions = decideAll(compileFlags(flags, mainEnvironment), somebody(), { asks: 'browser' })
  expect(decisions.map(({ value, payload }) => [value, payload])).toEqual(
    flags.map(() => ['constructor', undefined]),
  )
})

test('a greater percentage only ever adds people', () => {
  const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)
  fc.assert(
    fc.property(fc.string(), fc.string(), percentage, percentage, (key, distinctId, one, other) => {
      const at = (share: number) => {
        const flag = aFlag({ key, variants, environments: inProduction({ percentage: share }) })
        return valueOf([flag], key, { distinctId })?.value
      }
      const [smaller, greater] = [Math.min(one, other), Math.max(one, other)]
      if (at(smaller) !== false) expect(at(greater)).toBe(at(smaller))
    }),
    { numRuns: runs(500) },
  )
})

test('a flag is decided exactly when every possible value of the unknowns gives the same decision', () => {
  const set = fc.record({
    holds: fc.constantFrom<FilterAnswer>(true, false, 'unknown', 'unknown'),
    percentage: fc.constantFrom(0, 30, 60, 100),
    variant: fc.constantFrom(undefined, undefined, 'control', 'test'),
    isLast: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(set, { maxLength: 5 }),
      fc.constantFrom(...hundred),
      fc.boolean(),
      (sets, id, isMany) => {
        const flag = aFlag({
          key: 'f',
          variants: isMany ? variants : [],
          environments: inProduction(
            ...sets.map(({ holds, ...settings }, place) => ({
              ...settings,
              variant: isMany ? settings.variant : undefined,
              conditions: [{ type: 'cohort', cohort: `${place}`, operator: 'in' } as const],
            })),
          ),
        })
        const decision = valueOf([flag], 'f', {
          distinctId: id,
          isIn: (cohort) => sets[Number(cohort)]?.holds ?? false,
        })
        const plain = expectedFlagValue(
          {
            key: 'f',
            variants: flag.variants,
            sets: isMany ? sets : sets.map((one) => ({ ...one, variant: undefined })),
          },
          id,
        )
        expect(decision?.reason.code === 'undecided' ? 'undecided' : decision?.value).toBe(plain)
      },
    ),
    { numRuns: runs(3000) },
  )
})

test('who is known only in part never gets what they would not get when known', () => {
  const flags = randomFlags(60, testSeed)
  const compiled = compileFlags(flags, mainEnvironment, cohortRules)
  const wish: DecideOptions = { asks: 'server' }
  fc.assert(
    fc.property(randomPerson, ({ distinctId, deviceId, groups, stored, sent, company }) => {
      const known = (isAll: boolean, properties: typeof stored): EvaluationContext =>
        somebody({
          distinctId,
          deviceId,
          groups,
          person: { properties, isAll },
          groupProperties: { company: { properties: company, isAll }, team: { properties: {}, isAll } },
          isIn: () => (isAll ? true : 'unknown'),
          keptIds: isAll ? {} : undefined,
        })
      const whole = decideAll(compiled, known(true, { ...stored, distinct_id: distinctId, ...sent }), wish)
      const part = decideAll(compiled, known(false, sent), wish)
      for (const [place, { value, reason }] of part.entries())
        if (reason.code !== 'undecided') expect(value).toBe(whole[place]?.value)
    }),
    { numRuns: runs(200) },
  )
})

test('ten thousand flags are ready in a moment, and take little', () => {
  const flags = Array.from({ length: 10_000 }, (_, i) =>
    aFlag({
      key: `f${i}`,
      environments: inProduction(
        {
          conditions: [isPro, { type: 'person', key: 'country', operator: 'is_not', value: ['DE'] }],
          percentage: 50,
        },
        { conditions: i > 0 && i % 10 === 0 ? [asks(`f${i - 1}`)] : [], percentage: 10 },
      ),
    }),
  )
  const before = process.memoryUsage().heapUsed
  const compiled = compileFlags(flags, mainEnvironment)
  const decisions = decideAll(compiled, somebody(withPersonProperties({ plan: 'pro' })), { asks: 'browser' })
  expect(decisions).toHaveLength(10_000)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 ** 2)
})

test('random flags are such as could have been made', () => {
  for (const flag of randomFlags(20, 1)) {
    const {
      id: _,
      projectId: _p,
      createdAt: _c,
      changedAt: _d,
      archivedAt: _a,
      createdBy: _b,
      hasExperiment: _h,
      version: _v,
      ...settings
    } = flag
    expect(newFlag.safeParse(settings).success).toBe(true)
  }
})
