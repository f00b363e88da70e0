import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { Engine, QueryLimits } from '#engine/engine'
import { openEngine } from '#engine/open'
import { type Sql, sql, string } from '#engine/sql'
import { temporaryServer, temporarySettings } from '#engine/internal/temporary'
import { cloneSource, copyDifferences } from './engine-difference'
import { cloneTables, dropClones } from './internal/engine-clone'
import type { KnownSums } from './internal/part-sums'
import { sumsByMonth } from './internal/verification-queries'

const log = { info: () => {}, warn: () => {}, error: () => {} }

async function opened(engine: Engine): Promise<Engine> {
  onTestFinished(() => engine.close())
  await engine.ready()
  return engine
}

const months = 5
const eventsOfMonth = 20_000

const month = (n: number) => sql`
  insert into events (project_id, uuid, event, timestamp, distinct_id, person_id, properties)
  select 1, generateUUIDv4(), 'read', toDateTime64(${string(`2026-0${n}-01 00:00:00`)}, 3) + number * 100, concat('visitor ', toString(number % 50)),
    toUUID(concat('00000000-0000-4000-8000-0000000000', toString(10 + number % 50))), map('n', toString(number))
  from numbers(20000)`

/** Events of five months on a server, which rounds bring into an engine, and what these read. */
async function aSourceAndTarget() {
  const server = await temporaryServer()
  onTestFinished(() => server.remove())
  const source = await opened(openEngine({ form: 'remote', url: server.url, log }))
  const target = await opened(openEngine(await temporarySettings()))
  for (let n = 1; n <= months; n++) await source.command(month(n))
  await source.command(sql`optimize table events final`)
  await source.command(
    sql`insert into persons (project_id, person_id, version) select 1, generateUUIDv4(), 1 from numbers(1000)`,
  )
  const notes: { read: number; sums: KnownSums['sums'] } = { read: 0, sums: new Map() }
  const counting = (engine: Engine) => ({
    query: <Row>(statement: Sql, limits: QueryLimits = {}) =>
      engine.query<Row>(statement, { ...limits, onReadStats: ({ rows }) => (notes.read += rows) }),
    command: engine.command.bind(engine),
    queryNative: engine.queryNative.bind(engine),
    insertNative: engine.insertNative.bind(engine),
  })
  /** A round, as a command of its own would go it. Returns the copied rows and those that were read to compare. */
  async function round() {
    const id = randomBytes(9).toString('hex')
    await cloneTables(source, id)
    notes.read = 0
    const known: KnownSums = { sums: new Map(notes.sums), save: async () => void (notes.sums = known.sums) }
    const copied = await copyDifferences({
      from: cloneSource(counting(source), id),
      to: counting(target),
      known,
      progress: () => {},
    })
    await dropClones(source, () => false)
    expect(await sumsByMonth(target)).toEqual(await sumsByMonth(source))
    return { copied, read: notes.read }
  }
  return { source, target, round }
}

const person = sql`toUUID('00000000-0000-4000-8000-000000000017')`
const all = months * eventsOfMonth

const rewritings: readonly [name: string, changes: readonly Sql[]][] = [
  ['events of a person are erased', [sql`delete from events where distinct_id = 'visitor 7'`]],
  [
    'persons who were merged are written into events',
    [sql`update events set person_id = ${person} where distinct_id = 'visitor 8'`],
  ],
  [
    'one event of the first month is corrected, which is counted as before',
    [sql`update events set properties = map('n', 'other') where timestamp = '2026-01-01 00:01:40'`],
  ],
  [
    'an import is deleted',
    [
      sql`delete from events where timestamp >= '2026-02-03' and timestamp < '2026-02-20'`,
      sql`alter table events apply deleted mask settings mutations_sync = 2`,
    ],
  ],
  [
    'a month is replaced by one with as many events',
    [
      sql`create table other as events`,
      sql`insert into other select * replace (reverse(distinct_id) as distinct_id) from events where timestamp < '2026-02-01'`,
      sql`alter table events replace partition 202601 from other`,
    ],
  ],
  [
    'two events exchange their persons',
    [
      sql`update events set person_id = if(distinct_id = 'visitor 1', toUUID('00000000-0000-4000-8000-000000000012'), toUUID('00000000-0000-4000-8000-000000000011'))
      where timestamp >= '2026-03-01' and timestamp < '2026-03-01 01:00:00' and distinct_id in ('visitor 1', 'visitor 2')`,
    ],
  ],
  [
    'all events of a month are deleted',
    [sql`delete from events where timestamp >= '2026-04-01' and timestamp < '2026-05-01'`],
  ],
  ['events arrive late', [month(1), sql`optimize table events final`]],
  [
    'a person is known of',
    [sql`insert into persons (project_id, person_id, version) select 1, generateUUIDv4(), 2`],
  ],
  ['persons are erased', [sql`delete from persons where cityHash64(person_id) % 3 = 0`]],
]

test('a round notices whatever rewrites events, in old months as well', async () => {
  const { source, round } = await aSourceAndTarget()
  expect((await round()).copied).toBe(all + 1000)
  for (const [name, changes] of rewritings) {
    const before = await sumsByMonth(source)
    for (const change of changes) await source.command(change)
    expect(await sumsByMonth(source), name).not.toEqual(before)
    await round()
    expect((await round()).copied, name).toBe(0)
  }
})

test('a round notices what another wrote into the new form, and that a column means something else', async () => {
  const { source, target, round } = await aSourceAndTarget()
  await round()
  await target.command(sql`update events set path = '/other' where timestamp = '2026-02-01 00:01:40'`)
  expect((await round()).copied).toBeGreaterThan(0)
  await target.command(sql`delete from events where distinct_id = 'visitor 3'`)
  expect((await round()).copied).toBeGreaterThan(0)
  await source.command(sql`alter table events add column note String default 'old'`)
  await target.command(sql`alter table events add column note String default 'new'`)
  expect((await round()).copied).toBe(all)
})

test('a round reads only the parts that were written since the last one', async () => {
  const { source, round } = await aSourceAndTarget()
  expect((await round()).read).toBeGreaterThan(2 * all)
  // the parts of two tables are listed, and no event is read
  expect((await round()).read).toBeLessThan(eventsOfMonth / 10)
  await source.command(sql`
    insert into events (project_id, uuid, event, timestamp, distinct_id)
    select 1, generateUUIDv4(), 'read', '2026-06-01 00:00:00', 'late' from numbers(100)`)
  const { copied, read } = await round()
  expect(copied).toBe(100)
  expect(read).toBeLessThan(eventsOfMonth / 10)
  await source.command(sql`delete from events where timestamp = '2026-03-01 00:01:40'`)
  // the part of that month once in the old form, and its slices in the new one
  expect((await round()).read).toBeLessThan(3 * eventsOfMonth)
})
