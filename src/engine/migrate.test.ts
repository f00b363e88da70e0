import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrations } from '#migrations/engine/migrations'
import { parseEngineUrl } from './address'
import { EngineClient } from './client'
import { createAndMigrate, migrate, tableForm, type Migration } from './migrate'
import { render, sql, uint, type Sql } from './sql'
import { rightsAskedFor, temporaryServer, type TemporaryServer } from './internal/temporary'

let server: TemporaryServer
let client: EngineClient

beforeAll(async () => {
  server = await temporaryServer(undefined, {
    rights: [...rightsAskedFor(), 'drop database on tilth.*', 'table engine on Buffer'],
  })
  client = new EngineClient({ address: parseEngineUrl(server.url), queriesAtOnce: 2 })
})
afterAll(async () => {
  await client.close()
  await server.remove()
})
beforeEach(startOver)

/** An empty database, as a first start finds it. */
async function startOver(): Promise<void> {
  await createAndMigrate(client, [])
  await client.command(sql`drop database tilth`)
  await createAndMigrate(client, [])
}

/** A client that is cut off at its n-th command: before that reaches the engine, or after, with the answer lost. */
function cutOffAt(
  command: number,
  when: 'before' | 'after',
): { client: Pick<EngineClient, 'query' | 'command'>; wasCut: () => boolean } {
  let commands = 0
  const speaker = {
    query: <Row>(statement: Sql) => client.query<Row>(statement),
    command: async (statement: Sql) => {
      commands += 1
      if (commands === command && when === 'before') throw new Error('cut off')
      await client.command(statement)
      if (commands === command) throw new Error('cut off')
    },
  }
  return { client: speaker, wasCut: () => commands >= command }
}

const tables = () =>
  client.query(sql`select name, create_table_query from system.tables where database = 'tilth' order by name`)
const record = async () => {
  const rows = await client.query<{ number: number; name: string }>(
    sql`select number, name from tilth_migrations order by number`,
  )
  return rows.map(({ number, name }) => `${number} ${name}`)
}

test('the history is numbered from 1 without gaps, and every file of it is in the list', async () => {
  const files = await readdir(new URL('../../migrations/engine', import.meta.url))
  const listed = migrations.map(({ number, name }) => `${String(number).padStart(4, '0')}-${name}.ts`)
  expect(listed).toEqual(files.filter((file) => /^\d/.test(file)).sort())
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, i) => i + 1))
})

test('a fresh database gets every step once, and a second start changes nothing', async () => {
  expect(await migrate(client, migrations)).toEqual({ applied: migrations.map(({ number }) => number) })
  const [after, steps] = [await tables(), await record()]
  expect(steps).toEqual(migrations.map(({ number, name }) => `${number} ${name}`))

  expect(await migrate(client, migrations)).toEqual({ applied: [] })
  expect(await tables()).toEqual(after)
  expect(await record()).toEqual(steps)
})

test('a change that is refused beforehand changes nothing', async () => {
  await migrate(client, migrations)
  const before = await tables()
  const later = { number: migrations.length + 1, name: 'later', statements: () => [sql`drop table events`] }
  const refuse = async (step: number) => ({ refused: `not step ${step}` })
  expect(await migrate(client, [...migrations, later], refuse)).toEqual({
    refused: `not step ${later.number}`,
  })
  expect(await tables()).toEqual(before)
})

test('a step added later is the only one applied', async () => {
  await migrate(client, migrations)
  const next = migrations.length + 1
  const later: Migration = {
    number: next,
    name: 'later',
    statements: () => [sql`alter table events add column if not exists mood LowCardinality(String)`],
  }
  expect(await migrate(client, [...migrations, later])).toEqual({ applied: [next] })
})

// Each of some forty rounds drops and makes every table, which a busy machine does in two seconds.
test('a migration cut off anywhere, before or after its statement took effect, is completed by the next start', async () => {
  await migrate(client, migrations)
  const [whole, steps] = [await tables(), await record()]

  let cutOffs = 0
  for (const when of ['before', 'after'] as const) {
    for (let command = 1; ; command++) {
      await startOver()
      const cut = cutOffAt(command, when)
      const attempt = await migrate(cut.client, migrations).catch((problem: Error) => problem.message)
      if (!cut.wasCut()) break
      cutOffs += 1
      expect(attempt).toBe('cut off')

      await migrate(client, migrations)
      expect(await tables()).toEqual(whole)
      expect(await record()).toEqual(steps)
    }
  }
  const statements = migrations.flatMap((migration) =>
    migration.statements(tableForm({ bucketedMaps: true, replicated: false })),
  )
  expect(cutOffs).toBe(2 * (1 + statements.length + migrations.length))
})

test('tables of a newer Tilth are left alone, with one sentence on what to do', async () => {
  await migrate(client, migrations)
  await client.command(sql`insert into tilth_migrations (number, name) select ${uint(99)}, 'from the future'`)
  const before = await tables()

  expect(await migrate(client, migrations)).toEqual({
    refused:
      "The engine's tables were made by a newer Tilth (step 99; this one knows " +
      `${migrations.length}). Start the newer version again, or restore a backup made before the update.`,
  })
  expect(await tables()).toEqual(before)
})

test('a table that only passes on to others, as one of shards does, ends the start with the reason', async () => {
  await client.command(sql`create table events_local (id UInt64) engine = MergeTree order by id`)
  await client.command(
    sql`create table events as events_local engine = Buffer(currentDatabase(), events_local, 1, 10, 100, 1, 1, 1, 1)`,
  )
  const before = await tables()
  expect(await migrate(client, migrations)).toEqual({
    refused: expect.stringMatching(/^The table "events" of this database is of the engine Buffer, .*shards/),
  })
  expect(await tables()).toEqual(before)
})

test('an event of an SDK is kept whole: its properties as text, everything unsaid empty', async () => {
  await migrate(client, migrations)
  await client.insert(
    'events',
    JSON.stringify({
      project_id: 1,
      uuid: '01a1fc88-2d2a-700f-b7c1-203a7a4d0950',
      event: '$pageview',
      timestamp: '2026-11-21T05:15:45.322Z',
      distinct_id: 'ana',
      properties: {
        price: 12.5,
        big: 12345678901234567890n.toString(),
        free: true,
        nested: { a: [1] },
        list: [1, 'b'],
        word: 'x',
      },
    }),
  )
  const [row] = await client.query<Record<string, unknown>>(sql`select * from events`)
  expect(row).toMatchObject({
    event: '$pageview',
    timestamp: '2026-11-21T05:15:45.322Z',
    session_id: '00000000-0000-0000-0000-000000000000',
    host: '',
    properties: {
      price: '12.5',
      big: '12345678901234567890',
      free: 'true',
      nested: '{"a":[1]}',
      list: `[1,"b"]`,
      word: 'x',
    },
  })
})

test('who an event happened to can be corrected on the event itself', async () => {
  await migrate(client, migrations)
  const row = (uuid: string) => ({
    project_id: 1,
    uuid,
    event: 'e',
    timestamp: '2026-11-21 05:15:45',
    distinct_id: 'ana',
  })
  const [one, two] = ['01a1fc88-2d2a-700f-b7c1-203a7a4d0950', '01a1fc88-2d2a-700f-b7c1-203a7a4d0951']
  await client.insert('events', `${JSON.stringify(row(one))}\n${JSON.stringify(row(two))}`)

  await client.command(
    sql`update events set person_id = '01a1fc88-0000-700f-b7c1-203a7a4d0950' where uuid = ${sql`toUUID('01a1fc88-2d2a-700f-b7c1-203a7a4d0951')`}`,
  )
  const persons = await client.query<{ person_id: string }>(sql`select person_id from events order by uuid`)
  expect(persons.map(({ person_id }) => person_id.slice(0, 8))).toEqual(['00000000', '01a1fc88'])
})

test('of two rows about one person the higher version counts, and a person who is gone is gone', async () => {
  await migrate(client, migrations)
  const person = {
    project_id: 1,
    person_id: '01a1fc88-2d2a-700f-b7c1-203a7a4d0950',
    created_at: '2026-11-21 05:15:45.322',
  }
  const versions = [
    { ...person, properties: { plan: 'pro' }, is_identified: 1, version: 2, is_deleted: 0 },
    { ...person, properties: { plan: 'free' }, is_identified: 0, version: 1, is_deleted: 0 },
  ]
  const insert = (rows: object[]) =>
    client.insert('persons', rows.map((row) => JSON.stringify(row)).join('\n'))
  const plans = () => client.query(sql`select properties['plan'] as plan, is_identified from persons final`)

  await insert(versions)
  expect(await plans()).toEqual([{ plan: 'pro', is_identified: true }])
  await insert([{ ...person, version: 3, is_deleted: 1 }])
  expect(await plans()).toEqual([])
})

const statementsFor = (form: { bucketedMaps: boolean; replicated: boolean }) =>
  migrations
    .flatMap(({ statements }) => statements(tableForm(form)))
    .map((statement) => render(statement).text)

test('buckets of maps are asked for only where the server knows them', () => {
  const asked = (bucketedMaps: boolean) => statementsFor({ bucketedMaps, replicated: false }).join('\n')
  expect(asked(true)).toContain('max_buckets_in_map = 16')
  expect(asked(false)).not.toContain('map_')
})

test('in a database with replicas every table takes part', () => {
  const statements = statementsFor({ bucketedMaps: false, replicated: true })
  for (const statement of statements.filter((one) => one.includes('create table'))) {
    expect(statement).toMatch(/engine = Replicated\w*MergeTree/)
  }
})

test('every table is on disk before an insert is answered', async () => {
  await migrate(client, migrations)
  const careless = await client.query(sql`
    select name from system.tables
    where database = 'tilth' and name != 'tilth_migrations'
      and not (create_table_query like '%fsync_after_insert = 1%' and create_table_query like '%fsync_part_directory = 1%')`)
  expect(careless).toEqual([])
})
