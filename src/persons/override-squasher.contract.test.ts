import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventNumber } from '#test/deep/crashlab/events'
import type { Engine } from '#engine/engine'
import { render, type Sql, sql, uint } from '#engine/sql'
import { type TemporaryEngine, temporaryEngine } from '#engine/internal/temporary'
import type { IdentityClaim, PreparedEvent } from '#events/event'
import { rowOf } from '#events/row'
import { openStore } from '#store/open'
import type { Store } from '#store/store'
import { IdentityResolver } from './identity-resolver'
import { OverrideSquasher } from './override-squasher'

let temporary: TemporaryEngine
let folder: string
let store: Store
let people: IdentityResolver
let number = 0
let sequence = 0
let project = 0
let stored = 0
let pending = 0

beforeAll(async () => {
  temporary = await temporaryEngine()
  await temporary.engine.ready()
})
afterAll(() => temporary.remove())

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tilth-squash-'))
  store = await openStore({ folder })
  people = new IdentityResolver({ store, engine: temporary.engine, journal: 'test' })
  project += 1
  stored = pending = 0
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** Stores one batch as the batches do. */
async function happens(...events: [distinctId: string, identity?: IdentityClaim][]): Promise<void> {
  await insert(...(await resolved(...events)))
}

async function resolved(...events: [distinctId: string, identity?: IdentityClaim][]): Promise<string[]> {
  const prepared = events.map(([distinctId, identity]) => happened(distinctId, identity))
  const persons = await people.resolve(prepared, ++sequence)
  await people.mirror()
  return prepared.map((event, i) => rowOf(event, persons[i] ?? ''))
}

async function insert(...rows: string[]): Promise<void> {
  await temporary.engine.insert('events', rows.join('\n'))
  stored += rows.length
}

const happened = (distinctId: string, identity?: IdentityClaim): PreparedEvent =>
  eventNumber(number++, { projectId: project, distinctId, identity, hasPerson: true })

const identifies = (anonymous: string): IdentityClaim => ({ kind: 'identify', anonymous })
const merges = (other: string): IdentityClaim => ({ kind: 'merge', other })

/** The ids of each person, as every query sees them. */
async function personsInAnswers(): Promise<string[][]> {
  const rows = await temporary.engine.query<{ ids: string[] }>(
    sql`
      with merged as (
        select from_person_id, argMax(to_person_id, version) as to_person_id
        from person_overrides
        where project_id = ${uint(project)}
        group by from_person_id
      )
      select arraySort(groupUniqArray(distinct_id)) as ids
      from events
      left join merged on merged.from_person_id = events.person_id
      where project_id = ${uint(project)}
      group by if(merged.to_person_id = toUUID('00000000-0000-0000-0000-000000000000'), person_id, merged.to_person_id)
      order by ids`,
    { lane: 'ingest' },
  )
  return rows.map(({ ids }) => ids)
}

/** Returns the persons by the events alone. */
async function personsInEvents(): Promise<string[][]> {
  const rows = await temporary.engine.query<{ ids: string[] }>(
    sql`
      select arraySort(groupUniqArray(distinct_id)) as ids
      from events
      where project_id = ${uint(project)}
      group by person_id
      order by ids`,
    { lane: 'ingest' },
  )
  return rows.map(({ ids }) => ids)
}

async function overridesLeft(): Promise<number> {
  const [row] = await temporary.engine.query<{ amount: number }>(
    sql`select count() as amount from person_overrides where project_id = ${uint(project)}`,
    { lane: 'ingest' },
  )
  return row?.amount ?? 0
}

type Commands = Partial<Pick<Engine, 'query' | 'command'>>

let now = new Date('2026-07-01T12:00:00Z')
const minutesPass = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * 60_000)
}

function aSquash(engine: Commands = {}, most?: number): OverrideSquasher {
  const { engine: real } = temporary
  return new OverrideSquasher({
    store,
    engine: {
      query: untilIdle,
      command: (statement, limits) => real.command(statement, limits),
      ...engine,
    },
    pipelineCounts: () => ({ accepted: stored + pending, pending }),
    world: { now: () => now },
    most,
  })
}

/** Returns a squasher that has seen the overrides once, so that its next run may squash them. */
async function settled(squash: OverrideSquasher): Promise<OverrideSquasher> {
  await squash.run()
  return squash
}

/**
 * Asks what else runs until nothing does. The engine lists a query for some moments after its answer has arrived, and a
 * run does nothing meanwhile.
 */
const untilIdle: Engine['query'] = async <Row>(...statement: Parameters<Engine['query']>): Promise<Row[]> => {
  await expect.poll(() => temporary.engine.query(...statement), { interval: 20 }).toEqual([])
  return []
}

const runs = (text: string, statement: Sql) => render(statement).text.includes(text)

test('what merges said is written into the events, and the overrides are gone', async () => {
  await happens(['anon-1'], ['anon-2'], ['ben'])
  await happens(['ana', identifies('anon-1')], ['ana', identifies('anon-2')])
  expect(await personsInEvents()).toHaveLength(4)
  const answers = await personsInAnswers()
  expect(answers).toEqual([['ana', 'anon-1', 'anon-2'], ['ben']])

  const squash = aSquash()
  expect(await squash.run()).toBe(0)
  expect(await squash.run()).toBe(2)
  expect(await personsInEvents()).toEqual(answers)
  expect(await personsInAnswers()).toEqual(answers)
  expect(await overridesLeft()).toBe(0)
  expect(await squash.run()).toBe(0)
})

test('one project’s merges change nothing in another', async () => {
  await happens(['anon-1'], ['ana', identifies('anon-1')])
  project += 1
  await happens(['anon-1'], ['ana'])
  await (await settled(aSquash())).run()
  expect(await personsInEvents()).toEqual([['ana'], ['anon-1']])
})

test.each<[string, () => void]>([
  ['Tilth is', () => {}],
  ['the engine is', () => temporary.signal('SIGKILL')],
])(
  'when %s killed between the two steps, it starts from the beginning, and no answer changes',
  async (_, kill) => {
    await happens(['anon-1'])
    await happens(['ana', identifies('anon-1')])
    let commands = 0
    const killed = await settled(
      aSquash({
        command: async (statement, limits) => {
          if (commands++ === 1) {
            kill()
            throw new Error('killed')
          }
          await temporary.engine.command(statement, limits)
        },
      }),
    )
    await expect(killed.run()).rejects.toThrow('killed')
    await expect.poll(() => overridesLeft().catch(() => 'still away')).toBe(1)
    expect(await personsInAnswers()).toEqual([['ana', 'anon-1']])

    const next = await settled(aSquash())
    // it waits for its turn while the engine, which has just started, is asked something else
    await expect.poll(() => next.run(), { interval: 100 }).toBe(1)
    expect(await overridesLeft()).toBe(0)
    expect(await personsInEvents()).toEqual([['ana', 'anon-1']])
  },
)

test('killed before it could note that it was done, it does no harm the second time', async () => {
  await happens(['anon-1'])
  await happens(['ana', identifies('anon-1')])
  const killed = new OverrideSquasher({
    engine: temporary.engine,
    store: { ...store, tables: () => store.tables(), transaction: () => Promise.reject(new Error('killed')) },
    pipelineCounts: () => ({ accepted: stored, pending: 0 }),
    world: { now: () => now },
  })
  await settled(killed)
  await expect(killed.run()).rejects.toThrow('killed')
  await happens(['ben', merges('ana')])
  expect(await personsInAnswers()).toEqual([['ana', 'anon-1', 'ben']])

  await (await settled(aSquash())).run()
  expect(await overridesLeft()).toBe(0)
  expect(await personsInEvents()).toEqual([['ana', 'anon-1', 'ben']])
})

test.each([
  ['before the events are corrected', 'update events', 'before'],
  ['after the events are corrected', 'update events', 'after'],
  ['before the overrides are forgotten', 'delete from', 'before'],
  ['after the overrides are forgotten', 'delete from', 'after'],
])('a merge that arrives %s is heeded as well', async (_, step, when) => {
  await happens(['anon-1'], ['carl'])
  await happens(['ana', identifies('anon-1')])
  const mergeThen = () => happens(['carl', merges('ana')])
  const squash = await settled(
    aSquash({
      command: async (statement, limits) => {
        const isNow = runs(step, statement)
        if (isNow && when === 'before') await mergeThen()
        await temporary.engine.command(statement, limits)
        if (isNow && when === 'after') await mergeThen()
      },
    }),
  )
  await squash.run()
  expect(await personsInAnswers()).toEqual([['ana', 'anon-1', 'carl']])

  await (await settled(aSquash())).run()
  expect(await personsInEvents()).toEqual([['ana', 'anon-1', 'carl']])
  expect(await overridesLeft()).toBe(0)
})

test('merges of merged persons go on being right after each was squashed', async () => {
  await happens(['a'], ['b'], ['c'], ['d'])
  for (const [distinctId, other] of [
    ['b', 'a'],
    ['c', 'b'],
    ['d', 'c'],
  ] as const) {
    await happens([distinctId, merges(other)])
    await (await settled(aSquash())).run()
  }
  expect(await personsInEvents()).toEqual([['a', 'b', 'c', 'd']])
  expect(await overridesLeft()).toBe(0)
})

test('a row that was on its way when its person was merged is waited for', async () => {
  const late = await resolved(['anon-1'])
  pending = late.length
  await happens(['ana', identifies('anon-1')])
  const squash = await settled(aSquash())
  expect(await squash.run()).toBe(0)

  await insert(...late)
  pending = 0
  expect(await squash.run()).toBe(1)
  expect(await personsInEvents()).toEqual([['ana', 'anon-1']])
})

test('while the engine is busy with a query it waits for the next time', async () => {
  await happens(['anon-1'], ['ana', identifies('anon-1')])
  const squash = await settled(aSquash({ query: (...asked) => temporary.engine.query(...asked) }))
  const statement = temporary.engine.query(sql`select sleepEachRow(1) from numbers(3)`)
  await expect
    .poll(() =>
      temporary.engine.query(
        sql`select 1 from system.processes where query ilike 'select sleepEachRow(1) from numbers(3)%'`,
        { lane: 'ingest' },
      ),
    )
    .toHaveLength(1)
  expect(await squash.run()).toBe(0)
  await statement
  await expect.poll(() => squash.run()).toBe(1)
})

test('an engine that is never idle is waited for half an hour, and then squashed by one core', async () => {
  await happens(['anon-1'], ['ana', identifies('anon-1')])
  let isBusy = true
  const threads: (number | undefined)[] = []
  const squash = await settled(
    aSquash({
      query: async <Row>() => (isBusy ? [{} as Row] : []),
      command: async (statement, limits) => {
        threads.push(limits?.threads)
        await temporary.engine.command(statement, limits)
      },
    }),
  )
  const amounts: number[] = []
  for (let looks = 0; looks < 7; looks++) {
    amounts.push(await squash.run())
    minutesPass(5)
  }
  expect(amounts).toEqual([0, 0, 0, 0, 0, 0, 1])
  expect(threads).toEqual([1, 1])
  expect(await personsInEvents()).toEqual([['ana', 'anon-1']])

  // the next ones wait as long
  await happens(['anon-2'], ['ben', identifies('anon-2')])
  await squash.run()
  expect(await squash.run()).toBe(0)
  isBusy = false
  expect(await squash.run()).toBe(1)
})

test('a run is limited, and the next one continues', async () => {
  const ids = Array.from({ length: 7 }, (_, n) => `anon-${n}`)
  await happens(...ids.map((id): [string] => [id]))
  await happens(...ids.map((id): [string, IdentityClaim] => ['ana', identifies(id)]))
  const squash = aSquash({}, 3)
  const amounts: number[] = []
  for (let run = 0; run < 8; run++) amounts.push(await squash.run())
  expect(amounts.filter((amount) => amount > 0)).toEqual([3, 3, 1])
  expect(await personsInEvents()).toEqual([['ana', ...ids]])
})
