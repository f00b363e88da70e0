import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventNumber } from '#test/deep/crashlab/events'
import { aWorld, requireDone, memberHelpers as peopleOf, problemMessages } from '#test/product/fixture'
import { anEngine } from '#test/product/test-engine'
import type { PreparedEvent } from '#events/event'
import { rowOf } from '#events/row'
import { IdentityResolver } from '#persons/identity-resolver'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { openProduct } from '#server/product'

const tested = anEngine()
let stage: Stage
beforeAll(async () => {
  stage = await setUp()
  await aCrowd(stage)
})
afterAll(() => stage.close())

const you = operator('Ana')

/** A product on a real engine, with persons of several plans and countries. */
async function setUp() {
  const [folder, world] = [await mkdtemp(join(tmpdir(), 'matches-')), aWorld('flag matches')]
  const engine = tested.engine()
  const product = await openProduct({ store: { folder }, world, engine })
  const store = await openStore({ folder })
  const { id } = await peopleOf(product).aProject()
  const known = new IdentityResolver({ store, engine, journal: 'test' })
  let number = 0

  async function happens(distinctId: string, rest: Partial<PreparedEvent> = {}): Promise<void> {
    const event = {
      ...eventNumber(number++, { projectId: id, distinctId, hasPerson: true }),
      at: world.now(),
      receivedAt: world.now(),
      ...rest,
      columns: { traffic: 'human' as const, ...rest.columns },
    }
    const [person = ''] = await known.resolve([event], number)
    await known.mirror()
    await engine.insert('events', rowOf(event, person))
    world.advance('1 minute')
  }
  async function close(): Promise<void> {
    await product.close()
    await store.close()
    await rm(folder, { recursive: true })
  }

  return { product, world, id, happens, close }
}

type Stage = Awaited<ReturnType<typeof setUp>>

const is = (key: string, value: string) => ({ type: 'person', key, operator: 'exact', value: [value] })
const germanPros = [is('$geoip_country_code', 'DE'), is('plan', 'pro')]

/** Every kind of rule, so that each look-up of the list is held against that of a request. */
const flags = [
  {
    key: 'checkout',
    environments: { production: { isOn: true, conditions: [{ conditions: germanPros, percentage: 20 }] } },
  },
  {
    key: 'search',
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 50 },
      { key: 'fast', percentage: 50 },
    ],
    environments: {
      production: {
        isOn: true,
        conditions: [
          { conditions: [is('plan', 'free')], percentage: 40, isLast: true },
          { conditions: [{ type: 'flag', flag: 'checkout', value: true }], percentage: 100, variant: 'fast' },
          { percentage: 70 },
        ],
      },
    },
  },
  {
    key: 'teams',
    bucketBy: { by: 'group', group: 'company' },
    environments: {
      production: {
        isOn: true,
        conditions: [
          {
            conditions: [{ type: 'group', group: 'company', key: 'size', operator: 'gt', value: '1' }],
            percentage: 60,
          },
        ],
      },
    },
  },
  {
    key: 'lasting',
    keepsThroughSignIn: true,
    environments: { production: { isOn: true, conditions: [{ percentage: 50 }] } },
  },
]

const plans = ['pro', 'free']
const countries = ['DE', 'FR']

/** Forty persons, ten of each plan and country, and two in one: a visitor who signed in as a Pro in Germany. */
async function aCrowd({ product, id, happens }: Stage): Promise<void> {
  for (const flag of flags) requireDone(await product.flags.create(id, flag, you))
  const names = Array.from({ length: 40 }, (_, index) => `person-${index}`)
  for (const [index, name] of names.entries()) {
    const [plan = '', country = ''] = [plans[index % 2], countries[Math.floor(index / 2) % 2]]
    await happens(name, {
      columns: { country },
      person: { set: { plan }, setOnce: {}, unset: [], add: {} },
      group: { type: 'company', key: `company-${index % 5}`, set: { size: index % 5 } },
      groups: { company: `company-${index % 5}` },
    })
  }
  await happens('visitor', { hasPerson: false, columns: { country: 'FR' } })
  await happens('person-0', {
    columns: { country: 'DE' },
    groups: { company: 'company-0' },
    identity: { kind: 'identify', anonymous: 'visitor' },
  })
}

test('the list of who matches says for each person what a request says for them', async () => {
  const { product, world, id } = stage
  // the id from before sign-in is kept with the first decision after it
  const signedIn = {
    distinctId: 'person-0',
    anonymousId: 'visitor',
    asks: 'server',
    now: world.now(),
  } as const
  await product.flags.deciding.decide(id, 'production', signedIn)
  world.advance('1 minute')

  let compared = 0
  for (const { key } of flags) {
    const { page } = requireDone(await product.flags.matches.list(id, key, { show: 'all' }, you))
    expect(page.total).toBe(40)
    for (const { distinctId, requestProperties, groups, value, reason } of page.matches) {
      const request = {
        distinctId,
        groups,
        ofRequest: requestProperties,
        flagKeys: [key],
        asks: 'server',
        now: world.now(),
      } as const
      const { decisions } = await product.flags.deciding.decide(id, 'production', request)
      expect([key, distinctId, value, reason]).toEqual([
        key,
        distinctId,
        decisions[0]?.value,
        decisions[0]?.reason,
      ])
      compared++
    }
  }
  expect(compared).toBe(160)
})

test('20% of Germans on the Pro plan are counted by set and reason, and paged', async () => {
  const { product, id } = stage

  const list = async (input: object) =>
    requireDone(await product.flags.matches.list(id, 'checkout', input, you)).page
  const { counts, matches, total, isAsIfOn } = await list({})
  expect(counts).toMatchObject({ evaluated: 40, persons: 40 })
  const [set = { served: -1, outsideRollout: -1 }] = counts.sets
  expect(set.served + set.outsideRollout).toBe(10)
  expect(counts.served).toBe(set.served)
  expect(counts.withoutValue).toEqual([
    { code: 'no_condition_match', persons: 30 },
    ...(set.outsideRollout > 0 ? [{ code: 'out_of_rollout_bound', persons: set.outsideRollout }] : []),
  ])
  expect([total, matches.length, isAsIfOn]).toEqual([set.served, set.served, false])
  expect(
    matches.every(
      ({ value, requestProperties }) => value && requestProperties['$geoip_country_code'] === 'DE',
    ),
  ).toBe(true)

  expect((await list({ show: 'not-served' })).total).toBe(40 - set.served)
  expect((await list({ show: 'all', set: 1 })).total).toBe(10)
  expect((await list({ value: 'true' })).total).toBe(set.served)
  expect(problemMessages(await product.flags.matches.list(id, 'checkout', { page: 0 }, you))).toHaveLength(1)
  expect((await product.flags.matches.list(id, 'no-such-flag', {}, you)).done).toBe(false)
})

test('a flag that is off lists who would get it, and no one gets it meanwhile', async () => {
  const { product, id, world } = stage
  const off = { production: { isOn: false, conditions: [{ conditions: germanPros, percentage: 100 }] } }
  requireDone(await product.flags.create(id, { key: 'soon', environments: off }, you))

  const { page } = requireDone(await product.flags.matches.list(id, 'soon', {}, you))
  expect(page).toMatchObject({ total: 10, isAsIfOn: true, counts: { served: 10 } })
  const request = { distinctId: 'person-0', flagKeys: ['soon'], asks: 'server', now: world.now() } as const
  const { decisions } = await product.flags.deciding.decide(id, 'production', request)
  expect(decisions).toMatchObject([{ value: false, reason: { code: 'flag_disabled' } }])
})

const changes = (set: Record<string, string> = {}) => ({ set, setOnce: {}, unset: [], add: {} })

test('a person is in one country: the last known one, for lists, values, cohorts, insights and flags alike', async () => {
  const { product } = stage
  const { id } = requireDone(await product.projects.create({ name: 'Abroad' }, you)).project
  const happens = (distinctId: string, rest: Partial<PreparedEvent>) =>
    stage.happens(distinctId, { projectId: id, ...rest })
  const from = (country: string) => ({ name: '$pageview', columns: { country } })
  await happens('profile', { ...from('DE'), person: changes({ plan: 'pro' }) })
  await happens('visitor', { ...from('DE'), hasPerson: false })
  await happens('visitor', { ...from('DE'), hasPerson: false })
  await happens('moved', { ...from('DE'), person: changes({ plan: 'pro' }) })
  await happens('moved', from('FR'))
  await happens('moved visitor', { ...from('FR'), hasPerson: false })
  await happens('moved visitor', { ...from('DE'), hasPerson: false })
  // the same person before and after sign-in
  await happens('merged', from('FR'))
  await happens('unnamed', { ...from('DE'), hasPerson: false })
  await happens('merged', { ...from('DE'), identity: { kind: 'identify', anonymous: 'unnamed' } })
  // a server tells no place
  await happens('profile', { name: 'renewed', columns: { country: '' } })
  await happens('placeless', { name: 'renewed', columns: { country: '' }, person: changes({ plan: 'pro' }) })

  const german = is('$geoip_country_code', 'DE')
  const notGerman = { ...german, operator: 'is_not' }
  const key = 'germans'
  const { cohort } = requireDone(
    await product.people.cohorts.create(id, { name: 'G', definition: { is: german } }, you),
  )
  const on = (conditions: object[]) => ({ production: { isOn: true, conditions: [{ conditions }] } })
  requireDone(await product.flags.create(id, { key, environments: on([german]) }, you))
  requireDone(await product.flags.create(id, { key: 'others', environments: on([notGerman]) }, you))

  const listed = async (input: object) => {
    const { persons, total } = requireDone(await product.people.list(id, input, you))
    expect(persons).toHaveLength(total)
    return persons
  }
  const idsOf = (all: readonly { id: string }[]) => all.map((one) => one.id).toSorted()
  const germans = await listed({ filter: german })
  expect(germans.map(({ distinctId }) => distinctId).toSorted()).toEqual([
    'merged',
    'moved visitor',
    'profile',
    'visitor',
  ])
  expect(germans.map(({ properties }) => properties['$geoip_country_code'])).toEqual(['DE', 'DE', 'DE', 'DE'])

  expect(idsOf(await listed({ cohort: cohort.id }))).toEqual(idsOf(germans))
  expect(await product.people.size(id, cohort.id, you)).toBe(4)
  const isMember = async ({ id: person }: { id: string }) =>
    (await product.people.find(id, person, you))?.cohorts.some((one) => one.id === cohort.id)
  expect(await Promise.all((await listed({})).map(isMember))).toEqual(
    (await listed({})).map((one) => idsOf(germans).includes(one.id)),
  )

  const { matching } = requireDone(await product.flags.numbers.matching(id, { conditions: [german] }, you))
  expect(matching).toMatchObject({ matching: 4, of: 6, usesRequest: true })
  expect(idsOf(await listed({ period: '30d', filter: matching.filter }))).toEqual(idsOf(germans))
  const { page } = requireDone(await product.flags.matches.list(id, key, {}, you))
  expect([page.total, idsOf(page.matches)]).toEqual([4, idsOf(germans)])

  const others = requireDone(
    await product.flags.numbers.matching(id, { conditions: [notGerman] }, you),
  ).matching
  const { page: listedOthers } = requireDone(await product.flags.matches.list(id, 'others', {}, you))
  expect(idsOf(await listed({ filter: others.filter }))).toEqual(idsOf(listedOthers.matches))
  expect([others.matching, listedOthers.total]).toEqual([2, 2])

  const country = { type: 'person', key: '$geoip_country_code' }
  const { values } = requireDone(await product.insights.names.values(id, country, you))
  expect(values.map(({ value, count }) => [value, count])).toEqual([
    ['DE', 4],
    ['FR', 1],
  ])
  const series = [{ event: '$pageview', measure: { math: 'persons' } }]
  const trend = { kind: 'trend', period: '30d', series, filter: german }
  const { answer } = requireDone(await product.insights.ask(id, trend, you))
  expect(answer).toMatchObject({ lines: [{ total: 4 }] })
})
