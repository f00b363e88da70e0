import { expect, test, vi } from 'vitest'
import { aFlag, aVariant, inProduction, now } from '#test/random/random-flags'
import { bucketOf } from './bucket'
import type { CohortRule } from './internal/cohort-rules'
import { FlagDecider, type DecisionRequest, type VisitorDataSource } from './flag-decider'
import { FlagDefinitions } from './definitions'
import { type Condition, type ConditionSet, type Flag, mainEnvironment } from './flag'

const nobody: VisitorDataSource = {
  person: async (_, distinctId) => ({ id: `person of ${distinctId}`, properties: {} }),
  group: async () => ({}),
  members: async () => new Set(),
  keptIds: async () => ({}),
  keepIds: async () => {},
}

const never = () => new Promise<never>(() => {})
const broken = async () => {
  throw new Error('The store does not answer')
}

async function aContext(
  flags: Flag[],
  overrides: Partial<VisitorDataSource> = {},
  rules: [string, CohortRule][] = [],
  options: { deadlineMs?: number } = { deadlineMs: 20 },
) {
  const failures: unknown[] = []
  let at = now.getTime()
  const fail = (error: unknown) => failures.push(error)
  const definitions = new FlagDefinitions({
    load: async () => ({ flags, cohorts: new Map([[1, new Map(rules)]]), projects: [], environments: [] }),
    onChange: () => () => {},
    snapshotFile: undefined,
    fail,
  })
  await definitions.open()
  const world = { now: () => new Date(at), random: (bytes: number) => new Uint8Array(bytes) }
  const deciding = new FlagDecider({
    definitions,
    lookups: { ...nobody, ...overrides },
    world,
    fail,
    ...options,
  })
  const ask = (context: Partial<DecisionRequest> = {}) =>
    deciding.decide(1, mainEnvironment, { distinctId: 'ana', asks: 'browser', now, ...context })
  const valueFor = async (context: Partial<DecisionRequest> = {}) => (await ask(context)).decisions[0]?.value
  return { deciding, ask, valueFor, failures, pass: (ms: number) => (at += ms) }
}

const asking = (...conditions: Condition[]) => aFlag({ key: 'f', environments: inProduction({ conditions }) })
const isPro: Condition = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
const isGerman: Condition = { type: 'person', key: '$geoip_country_code', operator: 'exact', value: ['DE'] }
const isLarge: Condition = {
  type: 'group',
  group: 'company',
  key: 'size',
  operator: 'exact',
  value: ['large'],
}

test('no visitor is looked up for flags that need nothing', async () => {
  const { ask } = await aContext([aFlag({ key: 'f' })], { person: broken, keptIds: broken })
  expect(ask()).toMatchObject({ decisions: [{ value: true }], isComplete: true })
})

test('no visitor is looked up for properties that the request sends', async () => {
  const { ask } = await aContext([asking(isPro, isGerman)], { person: broken })
  expect(ask({ personProperties: { plan: 'pro' }, ofRequest: { $geoip_country_code: 'DE' } })).toMatchObject({
    decisions: [{ value: true }],
    isComplete: true,
  })
})

test('what is stored counts, before it what the request tells, and before that what was sent', async () => {
  const { valueFor } = await aContext([asking(isPro, isGerman)], {
    person: async () => ({ id: 'a', properties: { plan: 'pro', $geoip_country_code: 'DE' } }),
  })
  expect(await valueFor()).toBe(true)
  expect(await valueFor({ ofRequest: { $geoip_country_code: 'FR' } })).toBe(false)
  expect(
    await valueFor({
      ofRequest: { $geoip_country_code: 'FR' },
      personProperties: { $geoip_country_code: 'DE' },
    }),
  ).toBe(true)
  expect(await valueFor({ personProperties: { plan: 'free' } })).toBe(false)
})

test('groups are looked up only where the visitor has one and a flag asks', async () => {
  const group = vi.fn(async () => ({ size: 'large' }))
  const { valueFor } = await aContext([asking(isLarge)], { group })
  expect(await valueFor()).toBe(false)
  expect(group).not.toHaveBeenCalled()
  expect(await valueFor({ groups: { company: 'acme', team: 'red' } })).toBe(true)
  expect(group.mock.calls).toEqual([[1, 'company', 'acme']])
  expect(
    await valueFor({ groups: { company: 'acme' }, groupProperties: { company: { size: 'small' } } }),
  ).toBe(false)
})

test.each([
  ['breaks', broken, 1],
  ['takes too long', never, 0],
])('a look-up that %s leaves undecided what needs it, and nothing else', async (_name, person, failed) => {
  const flags = [asking(isPro), aFlag({ key: 'g' })]
  const { ask, failures } = await aContext(flags, { person })
  const { decisions, isComplete } = await ask()
  expect(isComplete).toBe(false)
  expect(decisions.map(({ value, reason }) => [value, reason.code])).toEqual([
    [false, 'undecided'],
    [true, 'condition_match'],
  ])
  expect(failures).toHaveLength(failed)
})

test.each([
  ['breaks', broken, 1],
  ['takes too long', never, 0],
])(
  'a look-up that %s leaves a visitor who was looked up before as they were',
  async (_name, late, failed) => {
    let isLate = false
    const person = async () => (isLate ? await late() : { id: 'a', properties: { plan: 'pro' } })
    const group = async () => (isLate ? await late() : { size: 'large' })
    const { ask, pass, failures } = await aContext([asking(isPro, isLarge)], { person, group })
    const visit = async () => await ask({ groups: { company: 'acme' } })
    expect(await visit()).toMatchObject({ isComplete: true, decisions: [{ value: true }] })
    isLate = true
    pass(60_000)
    expect(await visit()).toMatchObject({ isComplete: true, decisions: [{ value: true }] })
    expect(failures).toHaveLength(2 * failed)
    pass(60_000)
    expect(await visit()).toMatchObject({ isComplete: true, decisions: [{ value: true }] })
    pass(3_600_000)
    expect((await visit()).isComplete).toBe(false)
  },
)

test('a new visitor is not undecided because a busy machine took 200 ms for the look-up', async () => {
  const person = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { id: 'a', properties: { plan: 'pro' } }
  }
  const { valueFor } = await aContext([asking(isPro)], { person }, [], {})
  expect(await valueFor()).toBe(true)
})

test('one page’s requests look up once, and later ones again', async () => {
  const person = vi.fn((...of: Parameters<VisitorDataSource['person']>) => nobody.person(...of))
  const { ask, pass } = await aContext([asking(isPro)], { person })
  await Promise.all([ask(), ask()])
  await ask()
  expect(person).toHaveBeenCalledTimes(1)
  pass(1001)
  await ask()
  expect(person).toHaveBeenCalledTimes(2)
})

test('a look-up that broke is tried again', async () => {
  let isBroken = true
  const { ask } = await aContext([asking(isPro)], {
    person: async () => (isBroken ? await broken() : { id: 'a', properties: { plan: 'pro' } }),
  })
  expect((await ask()).isComplete).toBe(false)
  isBroken = false
  expect(await ask()).toMatchObject({ isComplete: true, decisions: [{ value: true }] })
})

test('a person keeps their decision through sign-in', async () => {
  const kept = new Map<string, Readonly<Record<string, string>>>()
  const sets: Partial<ConditionSet>[] = [{ percentage: 50 }]
  const flag = aFlag({ key: 'f', keepsThroughSignIn: true, environments: inProduction(...sets) })
  const ids = Array.from({ length: 100 }, (_, i) => `id-${i}`)
  const inside = ids.find((id) => bucketOf('f', id) <= 0.5) ?? ''
  const outside = ids.find((id) => bucketOf('f', id) > 0.5) ?? ''
  const { valueFor, pass } = await aContext([flag], {
    keptIds: async (_, id) => kept.get(id) ?? {},
    keepIds: async (_, id, own) => void kept.set(id, { ...own, ...kept.get(id) }),
  })
  expect(await valueFor({ distinctId: inside })).toBe(true)
  expect(kept.size).toBe(0)
  expect(await valueFor({ distinctId: outside, anonymousId: inside })).toBe(true)
  expect(kept.get(outside)).toEqual({ f: inside })
  expect(await valueFor({ distinctId: outside })).toBe(true)
  pass(5000)
  const elsewhere = ids.findLast((id) => bucketOf('f', id) > 0.5)
  expect(await valueFor({ distinctId: outside, anonymousId: elsewhere })).toBe(true)
  expect(kept.get(outside)).toEqual({ f: inside })
})

test('if the kept id cannot be read, no value is returned and no id is stored', async () => {
  const keepIds = vi.fn((...of: Parameters<VisitorDataSource['keepIds']>) => nobody.keepIds(...of))
  const flag = aFlag({ key: 'f', keepsThroughSignIn: true })
  const { ask } = await aContext([flag], { keptIds: broken, keepIds })
  expect(await ask({ anonymousId: 'before' })).toMatchObject({
    isComplete: false,
    decisions: [{ value: false }],
  })
  expect(keepIds).not.toHaveBeenCalled()
})

test('an SDK’s device counts as it says among properties, before all else', async () => {
  const flag = aFlag({
    key: 'f',
    bucketBy: { by: 'device' },
    variants: [aVariant('a', 50), aVariant('b', 50)],
  })
  const { valueFor } = await aContext([flag])
  const own = await valueFor({ deviceId: 'd2', personProperties: { $device_id: 'd1' } })
  expect(own).toBe(await valueFor({ distinctId: 'ben', deviceId: 'd1' }))
})

test('cohorts: by properties at once, by what people did once that was read', async () => {
  const inCohort = (cohort: string): Condition => ({ type: 'cohort', cohort, operator: 'in' })
  const flags = [
    aFlag({ key: 'pro', environments: inProduction({ conditions: [inCohort('1')] }) }),
    aFlag({ key: 'bought', environments: inProduction({ conditions: [inCohort('2')] }) }),
  ]
  const members = vi.fn(async () => new Set(['person of ana']))
  const { ask, deciding } = await aContext(
    flags,
    { members, person: async (_, id) => ({ id: `person of ${id}`, properties: { plan: 'pro' } }) },
    [
      ['1', { is: { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] } }],
      ['2', { did: { event: 'bought' } }],
    ],
  )
  const given = async (distinctId: string) =>
    (await ask({ distinctId })).decisions.map(({ value, reason }) => [value, reason.code])
  expect(await given('ana')).toEqual([
    [true, 'condition_match'],
    [false, 'undecided'],
  ])
  await deciding.refreshCohorts()
  expect(members.mock.calls).toEqual([[1, '2']])
  expect(await given('ana')).toEqual([
    [true, 'condition_match'],
    [true, 'condition_match'],
  ])
  expect(await given('ben')).toEqual([
    [true, 'condition_match'],
    [false, 'no_condition_match'],
  ])
  members.mockRejectedValue(new Error('The engine is stopped'))
  await deciding.refreshCohorts()
  expect((await given('ana'))[1]).toEqual([true, 'condition_match'])
})

test('explaining finds out the same, and keeps nothing', async () => {
  const keepIds = vi.fn((...of: Parameters<VisitorDataSource['keepIds']>) => nobody.keepIds(...of))
  const flag = { ...asking(isPro), keepsThroughSignIn: true }
  const { deciding } = await aContext([flag], {
    keepIds,
    person: async () => ({ id: 'a', properties: { plan: 'pro' } }),
  })
  const asked: DecisionRequest = { distinctId: 'ana', anonymousId: 'before', asks: 'server', now }
  const explanation = await deciding.explain(1, mainEnvironment, 'f', asked)
  expect(explanation).toMatchObject({
    decision: { value: true },
    bucketedBy: 'before',
    bucket: bucketOf('f', 'before'),
  })
  expect(await deciding.explain(1, mainEnvironment, 'gone', asked)).toBeUndefined()
  expect(keepIds).not.toHaveBeenCalled()
})

test('properties named like JavaScript’s own are properties', async () => {
  const conditions: Condition[] = ['constructor', 'toString'].map((key) => ({
    type: 'person',
    key,
    operator: 'is_not_set',
  }))
  const { valueFor } = await aContext([asking(...conditions)])
  expect(await valueFor()).toBe(true)
  expect(await valueFor({ personProperties: JSON.parse('{"__proto__":{"plan":"pro"}}') })).toBe(true)
})
