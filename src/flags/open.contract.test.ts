import { describe, expect, onTestFinished, test } from 'vitest'
import { eventNumber } from '#test/deep/crashlab/events'
import { aFolder, aWorld, requireDone, memberHelpers as peopleOf, present } from '#test/product/fixture'
import { anEngine } from '#test/product/test-engine'
import type { PreparedEvent } from '#events/event'
import { rowOf } from '#events/row'
import type { Decision } from './decision'
import { forgetKeptIds } from './kept-ids'
import { SetAsideRows } from '#ingest/set-aside-files'
import { Quarantine } from '#ingest/internal/quarantine'
import { Eraser } from '#persons/internal/eraser'
import { ErasedPersons } from '#persons/erased-persons'
import { IdentityResolver } from '#persons/identity-resolver'
import { personIdOf } from '#persons/person'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { measureDiskSpace } from '#server/start/disk-space'
import { openLog } from '#server/log'
import { openProduct } from '#server/product'

const tested = anEngine()

const you = operator('Ana')
let projects = 0
let number = 0
let sequence = 0

/** A product on a real engine, in whose project things happen as the batches tell them. */
async function setUp() {
  const folder = aFolder()
  const world = aWorld()
  const engine = tested.engine()
  const product = await openProduct({ store: { folder }, world, engine })
  const store = await openStore({ folder })
  onTestFinished(async () => {
    await product.close()
    await store.close()
  })
  const fixture = peopleOf(product)
  // a project of its own in the engine that all tests share
  let id = 0
  while (id <= projects) ({ id } = await fixture.aProject())
  projects = id
  const known = new IdentityResolver({ store, engine, journal: 'test' })

  async function happens(distinctId: string, rest: Partial<PreparedEvent> = {}): Promise<void> {
    const event = {
      ...eventNumber(number++, { projectId: id, distinctId, hasPerson: true }),
      at: world.now(),
      receivedAt: world.now(),
      columns: { traffic: 'human' as const },
      ...rest,
    }
    const [person = ''] = await known.resolve([event], ++sequence)
    await known.mirror()
    await engine.insert('events', rowOf(event, person))
    world.advance('1 minute')
  }

  async function decide(distinctId: string, more: object = {}): Promise<Record<string, Decision['value']>> {
    const asked = { distinctId, asks: 'server', now: world.now(), ...more } as const
    const { decisions } = await product.flags.deciding.decide(id, 'production', asked)
    return Object.fromEntries(
      decisions.map(({ flag, value, reason }) => [
        flag.key,
        reason.code === 'undecided' ? 'undecided' : value,
      ]),
    )
  }

  const make = async (key: string, ...conditions: object[]) =>
    requireDone(
      await product.flags.create(
        id,
        { key, environments: { production: { isOn: true, conditions: [{ conditions }] } } },
        you,
      ),
    )

  return {
    product,
    store,
    folder,
    engine,
    world,
    id,
    happens,
    decide,
    make,
    forget: () => known.clearCache(),
  }
}

const knownBy = (plan: string) => ({ person: { set: { plan }, setOnce: {}, unset: [], add: {} } })
const pro = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }

describe('a flag is decided by what is known', () => {
  test('of the person, and what is sent along counts before it', async () => {
    const { happens, decide, make } = await setUp()
    await make('new-nav', pro)
    await happens('ana', knownBy('pro'))

    expect(await decide('ana')).toEqual({ 'new-nav': true })
    expect(await decide('ana', { personProperties: { plan: 'free' } })).toEqual({ 'new-nav': false })
    expect(await decide('somebody-else')).toEqual({ 'new-nav': false })
  })

  test('of the group', async () => {
    const { happens, decide, make } = await setUp()
    await make('new-nav', { type: 'group', group: 'company', key: 'size', operator: 'gt', value: '10' })
    await happens('ana', { group: { type: 'company', key: 'acme', set: { size: 50 } } })

    expect(await decide('ben', { groups: { company: 'acme' } })).toEqual({ 'new-nav': true })
    expect(await decide('ben', { groups: { company: 'other' } })).toEqual({ 'new-nav': false })
  })

  test('of people picked for a cohort, and of what people did', async () => {
    const { product, id, happens, decide, make } = await setUp()
    await happens('ana', { name: 'buy' })
    await happens('ben', { name: 'look' })
    const buyers = { name: 'Buyers', definition: { did: { event: 'buy' } } }
    const { cohort } = requireDone(await product.people.cohorts.create(id, buyers, you))
    const persons = [personIdOf(id, 'ben')]
    const picked = requireDone(
      await product.people.cohorts.create(id, { name: 'Picked', persons }, you),
    ).cohort
    await make('thanks', { type: 'cohort', cohort: cohort.id, operator: 'in' })
    await make('gift', { type: 'cohort', cohort: picked.id, operator: 'in' })
    await product.flags.deciding.refreshCohorts()

    expect(await decide('ana')).toEqual({ thanks: true, gift: false })
    expect(await decide('ben')).toEqual({ thanks: false, gift: true })
  })
})

test('a front that was just started reads at once who is in cohorts', async () => {
  const { product, id, folder, world, happens, make } = await setUp()
  await happens('ana', { name: 'buy' })
  const buyers = { name: 'Buyers', definition: { did: { event: 'buy' } } }
  const { cohort } = requireDone(await product.people.cohorts.create(id, buyers, you))
  await make('thanks', { type: 'cohort', cohort: cohort.id, operator: 'in' })
  const front = await openProduct({
    store: { folder },
    world,
    engine: tested.engine(),
    intake: {
      dataFolder: folder,
      isAlone: false,
      diskSpace: () => measureDiskSpace(folder, undefined),
      log: openLog({ level: 'silent', format: 'json' }),
      onLiveEvent: () => {},
    },
  })
  onTestFinished(() => front.close())
  const asked = { distinctId: 'ana', asks: 'server', now: world.now() } as const
  const decided = async () => (await front.flags.deciding.decide(id, 'production', asked)).decisions[0]?.value

  await expect.poll(decided, { interval: 50 }).toBe(true)
})

test('a visitor who signs in keeps the decisions from before, on every device, until they are forgotten', async () => {
  const { product, store, engine, world, id, happens, make, forget } = await setUp()
  await make('half')
  const half = { conditions: [{ percentage: 50 }] }
  const change = { keepsThroughSignIn: true, environments: { production: half } }
  requireDone(await product.flags.change(id, 'half', change, you))
  const decided = async (distinctId: string, anonymousId?: string) => {
    const asked = { distinctId, anonymousId, asks: 'browser', now: world.now() } as const
    const { decisions } = await product.flags.deciding.decide(id, 'production', asked)
    return present(decisions[0]).value
  }
  // ids that fall on different sides of the half
  const names = Array.from({ length: 40 }, (_, place) => `visitor-${place}`)
  const values = await Promise.all(names.map((name) => decided(name)))
  const before = present(names.find((_, place) => values[place] === true))
  const after = present(names.find((_, place) => values[place] === false))

  expect(await decided(after, before)).toBe(true)
  await happens(after, { identity: { kind: 'identify', anonymous: before } })
  world.advance('1 minute')
  expect(await decided(after)).toBe(true)

  const forgotten = await ErasedPersons.open(store)
  const journalCounts = () => ({ accepted: 0, pending: 0 })
  const [person] = await store
    .tables<{ distinct_ids: { distinct_id: string; person_id: string } }>()
    .selectFrom('distinct_ids')
    .select('person_id')
    .where('distinct_id', '=', after)
    .execute()
  requireDone(await product.people.erasures.ask(id, present(person).person_id, you))
  await new Eraser({
    store,
    engine,
    world,
    erasedPersons: forgotten,
    pipelineCounts: journalCounts,
    forgetElsewhere: forgetKeptIds,
    rowsOnDisk: new SetAsideRows(aFolder(), new Quarantine(aFolder(), () => world.now())),
    forgetStored: async () => {},
    deleteEvents: ({ run }) => run(),
    recordErasures: async () => {},
    removeUpgradeCopies: async () => {},
  }).run()
  forget()
  world.advance('1 minute')
  expect(await decided(after)).toBe(false)
  const kept = store.tables<{ flag_kept_ids: { kept_id: string } }>().selectFrom('flag_kept_ids')
  expect(await kept.selectAll().execute()).toEqual([])
})

test('code that still asks for a flag is named before the flag is archived', async () => {
  const { product, id, happens, make } = await setUp()
  await make('new-nav')
  const properties = { $feature_flag: 'new-nav', $feature_flag_response: 'true' }
  for (const who of ['ana', 'ben']) await happens(who, { name: '$feature_flag_called', properties })

  const refused = await product.flags.archive(id, 'new-nav', you)
  expect(refused).toMatchObject({ done: false, problems: [{ field: 'anyway' }] })
  expect(JSON.stringify(refused)).toMatch(/Code still asks for it: .* 2 times in the last 7 days\./)
  await make('never-asked')
  expect((await product.flags.archive(id, 'never-asked', you)).done).toBe(true)
})
