import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventNumber } from '#test/deep/crashlab/events'
import { aWorld, problemMessages, requireDone } from '#test/product/fixture'
import { anEngine } from '#test/product/test-engine'
import { sql, uint } from '#engine/sql'
import type { IdentityClaim, PreparedEvent } from '#events/event'
import { rowOf } from '#events/row'
import { Erasures } from '#persons/erasures/erasures'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import type { Store } from '#store/store'
import { IdentityResolver } from '../identity-resolver'
import { OverrideSquasher } from '../override-squasher'
import { personIdOf } from '../person'
import { personsOf } from '../store'
import { SplitApplier } from './split-applier'
import { PersonSplits } from './splits'

const you = operator('Ana')

const tested = anEngine()
let folder: string
let store: Store
let world: ReturnType<typeof aWorld>
let people: IdentityResolver
let applier: SplitApplier
let splits: PersonSplits
let squash: OverrideSquasher
let number = 0
let sequence = 0
let project = 0
let stored = 0
let pending = 0

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tilth-split-'))
  store = await openStore({ folder })
  world = aWorld()
  project += 1
  stored = pending = 0
  start()
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** Sets up the memory of a process; a second call is a restart. */
function start(): void {
  const engine = tested.engine()
  people = new IdentityResolver({ store, engine, journal: 'test' })
  applier = new SplitApplier({ store, engine, world, pipelineCounts: counts })
  splits = new PersonSplits({ store, world })
  squash = new OverrideSquasher({ store, engine, world, pipelineCounts: counts })
}

const counts = () => ({ accepted: stored + pending, pending })

async function happens(...events: [distinctId: string, rest?: Partial<PreparedEvent>][]): Promise<void> {
  await insert(await resolved(...events))
}

async function resolved(...events: [distinctId: string, rest?: Partial<PreparedEvent>][]): Promise<string[]> {
  const prepared = events.map(([distinctId, rest]) => ({
    ...eventNumber(number++, { projectId: project, distinctId, hasPerson: true }),
    ...rest,
  }))
  const persons = await people.resolve(prepared, ++sequence)
  await people.mirror()
  return prepared.map((event, index) => rowOf(event, persons[index] ?? ''))
}

async function insert(rows: readonly string[]): Promise<void> {
  await tested.engine().insert('events', rows.join('\n'))
  stored += rows.length
}

const identifies = (anonymous: string) => ({
  identity: { kind: 'identify', anonymous } satisfies IdentityClaim,
})
const sets = (set: PreparedEvent['person']['set']) => ({ person: { set, setOnce: {}, unset: [], add: {} } })

/** The number of events of each person by distinct id, as every query sees them. */
async function answers(): Promise<Record<string, number>[]> {
  const rows = await tested.engine().query<{ ids: [string, number][] }>(
    sql`
      with merged as (
        select from_person_id, argMax(to_person_id, version) as to_person_id
        from person_overrides
        where project_id = ${uint(project)}
        group by from_person_id
      ),
      counted as (
        select if(merged.to_person_id = toUUID('00000000-0000-0000-0000-000000000000'), person_id, merged.to_person_id)
                 as person,
               distinct_id,
               count() as times
        from events
        left join merged on merged.from_person_id = events.person_id
        where project_id = ${uint(project)}
        group by person, distinct_id
      )
      select arraySort(groupArray((distinct_id, times))) as ids
      from counted
      group by person
      order by ids`,
    { lane: 'ingest' },
  )
  return rows.map(({ ids }) => Object.fromEntries(ids))
}

const split = async (from: string, distinctId: string) =>
  requireDone(await splits.ask(project, personIdOf(project, from), { distinctId }, you))

const isPending = async () => (await splits.of(project, personIdOf(project, 'ana'), you)).pending.length > 0

/** Two devices that were wrongly taken for one person, with events of the phone from before and after the merge. */
async function aMerge(): Promise<void> {
  await happens(['phone', sets({ plan: 'free' })], ['phone'])
  await happens(['ana', { ...identifies('phone'), ...sets({ plan: 'pro' }) }])
  await happens(['phone'], ['ana'])
  expect(await answers()).toEqual([{ ana: 2, phone: 3 }])
}

const apart = [{ ana: 2 }, { phone: 3 }]

test.each([
  ['while its override is in the engine', false],
  ['after the events say so themselves', true],
])('a merge is undone %s: past events go back, and new ones follow', async (_, isSquashed) => {
  await aMerge()
  if (isSquashed) {
    await squash.run()
    expect(await squash.run()).toBe(1)
  }
  await split('ana', 'phone')
  people.clearCache()
  await applier.run()
  expect(await answers()).toEqual(apart)
  await happens(['phone'], ['ana'])
  expect(await answers()).toEqual([{ ana: 3 }, { phone: 4 }])
  // the override that points to the person itself is squashed as any other, and changes nothing
  await squash.run()
  await squash.run()
  expect(await answers()).toEqual([{ ana: 3 }, { phone: 4 }])
})

test('the person has their own properties again, and the other one keeps theirs', async () => {
  await aMerge()
  await split('ana', 'phone')
  const ids = ['ana', 'phone'].map((id) => personIdOf(project, id))
  const persons = await personsOf(store, project, ids)
  expect(new Map(persons.map(({ id, properties }) => [id, properties]))).toEqual(
    new Map([
      [ids[0], { plan: 'pro' }],
      [ids[1], { plan: 'free' }],
    ]),
  )
  await people.mirror()
  const mirrored = await tested.engine().query<{ plan: string }>(
    sql`
      select properties['plan'] as plan
      from persons final
      where project_id = ${uint(project)}
      order by plan`,
    { lane: 'ingest' },
  )
  expect(mirrored.map(({ plan }) => plan)).toEqual(['free', 'pro'])
})

test('the split visitor has their name back, and the other person one of their own', async () => {
  await aMerge()
  const named = async () => {
    await people.mirror()
    const rows = await tested
      .engine()
      .query<{ person: string; name_id: string }>(
        sql`select person_id as person, name_id from persons final where project_id = ${uint(project)}`,
        { lane: 'ingest' },
      )
    return new Map(rows.map(({ person, name_id }) => [person, name_id]))
  }
  const [ana = '', phone = ''] = ['ana', 'phone'].map((id) => personIdOf(project, id))
  expect(await named()).toEqual(new Map([[ana, phone]]))
  await split('ana', 'phone')
  expect(await named()).toEqual(
    new Map([
      [ana, ana],
      [phone, phone],
    ]),
  )
})

test('an event that was on its way with the earlier person is corrected before the split is finished', async () => {
  await aMerge()
  const onItsWay = await resolved(['phone'])
  pending = 1
  await split('ana', 'phone')
  people.clearCache()
  await applier.run()
  world.advance('1 hour')
  expect(await applier.run()).toBe(0)
  pending = 0
  await insert(onItsWay)
  expect(await answers()).toEqual([{ ana: 2, phone: 1 }, { phone: 3 }])
  expect(await isPending()).toBe(true)
  expect(await applier.run()).toBe(1)
  expect(await answers()).toEqual([{ ana: 2 }, { phone: 4 }])
  expect(await isPending()).toBe(false)
})

test('a split that a restart or a restore interrupts is finished afterwards', async () => {
  await aMerge()
  await split('ana', 'phone')
  start()
  await applier.run()
  expect(await applier.run()).toBe(0)
  expect(await isPending()).toBe(true)
  world.advance('10 minutes')
  start()
  expect(await applier.run()).toBe(0)
  expect(await applier.run()).toBe(1)
  expect(await answers()).toEqual(apart)
  await happens(['phone'])
  expect(await answers()).toEqual([{ ana: 2 }, { phone: 4 }])
})

test('a distinct id that is merged again stays merged', async () => {
  await aMerge()
  await split('ana', 'phone')
  people.clearCache()
  await applier.run()
  await happens(['ben', identifies('phone')])
  world.advance('1 hour')
  await applier.run()
  await applier.run()
  expect(await answers()).toEqual([{ ana: 2 }, { ben: 1, phone: 3 }])
  expect(await isPending()).toBe(false)
})

test('of three ids in one person, only the chosen one leaves', async () => {
  await happens(['phone'], ['tablet'])
  await happens(['ana', identifies('phone')], ['ana', identifies('tablet')])
  expect((await splits.of(project, personIdOf(project, 'ana'), you)).separable).toEqual(['phone', 'tablet'])
  // a link to the absorbed person leads to the current one
  requireDone(await splits.ask(project, personIdOf(project, 'tablet'), { distinctId: 'phone' }, you))
  await applier.run()
  expect(await answers()).toEqual([{ ana: 2, tablet: 1 }, { phone: 1 }])
  expect((await splits.of(project, personIdOf(project, 'ana'), you)).separable).toEqual(['tablet'])
})

test('what was never merged cannot be split, and no one is erased while they are being split', async () => {
  await aMerge()
  const ask = (distinctId: unknown) => splits.ask(project, personIdOf(project, 'ana'), { distinctId }, you)
  expect(problemMessages(await ask('ana'))).toEqual([expect.stringContaining('began with')])
  expect(problemMessages(await ask('ben'))).toEqual([expect.stringContaining('not merged')])
  await split('ana', 'phone')
  const erasures = new Erasures({ store, world })
  for (const id of ['ana', 'phone'])
    expect(problemMessages(await erasures.ask(project, personIdOf(project, id), you))).toHaveLength(1)
  await applier.run()
  world.advance('1 hour')
  expect(await applier.run()).toBe(1)
  requireDone(await erasures.ask(project, personIdOf(project, 'phone'), you))
})
