import { randomUUID } from 'node:crypto'
import { assert, asyncProperty, boolean, constantFrom, tuple } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '#test/random/chance'
import { anEngine } from '#test/product/test-engine'
import type { Engine } from './engine'
import { openEngine } from './open'
import { projectViews, viewNames } from './project-views'
import { temporaryServer } from './internal/temporary'
import type { UserQueryResult } from './user-query'

const tested = anEngine()
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** The walls behind the guard, which is not asked here: what is written goes straight to the engine. */
const remote =
  ({ hasSqlUser }: { hasSqlUser: boolean }) =>
  async () => {
    const server = await temporaryServer(undefined, { hasSqlUser })
    const engine = openEngine({ form: 'remote', url: server.url, log: silent, probeEveryMs: 100 })
    const remove = async () => {
      await engine.close()
      await server.remove()
    }
    return { engine, remove }
  }

const forms = {
  embedded: async () => ({ engine: tested.engine(), remove: async () => {} }),
  remote: remote({ hasSqlUser: true }),
  'remote without a user for SQL': remote({ hasSqlUser: false }),
}

const [ana, ben, eve] = [1, 2, 3].map((n) => `00000000-0000-4000-a000-00000000000${n}`)
const [acme, other] = [7, 8]

describe.each(Object.entries(forms))('what people write, on the %s engine', (form, open) => {
  let engine: Engine
  let remove: () => Promise<void>
  const hasSecondWall = form !== 'remote without a user for SQL'
  beforeAll(async () => {
    const opened = await open()
    engine = opened.engine
    remove = opened.remove
    await engine.ready()
    await fill(engine)
  })
  afterAll(() => remove?.())

  const ask = (text: string, changes: object = {}): Promise<UserQueryResult> =>
    engine.runUserQuery({ text, projectId: acme, hasMerged: false, ...changes })
  const rows = async (text: string, changes?: object) => (await ask(text, changes)).rows
  const refusal = async (text: string) =>
    await ask(text).then(
      ({ rows: told }) => `It answered ${JSON.stringify(told)}`,
      (problem: unknown) => String(problem),
    )

  test('reads the rows of one project', async () => {
    expect(await rows('select distinct_id, event from events order by distinct_id')).toEqual([
      ['a', 'buy'],
      ['b', 'look'],
      ['e', 'look'],
    ])
    expect(await rows('select count() from events', { projectId: other })).toEqual([[1]])
    expect(await rows('select count() from events', { projectId: 99 })).toEqual([[0]])
  })

  test('says how columns are called and what they are', async () => {
    const { columns } = await ask(
      'select event, count() as n, toFloat64(1.5) as half from events group by event',
    )
    expect(columns).toEqual([
      { name: 'event', type: 'LowCardinality(String)' },
      { name: 'n', type: 'UInt64' },
      { name: 'half', type: 'Float64' },
    ])
  })

  test('says what it read', async () => {
    const { read } = await ask('select count(distinct_id) from events')
    expect(read.rows).toBeGreaterThanOrEqual(3)
  })

  test.each([
    // any beginning
    ['with n as (select count() as n from events) select n from n', [[3]]],
    [
      'WITH RECURSIVE t AS (select 1 as n union all select n + 1 from t where n < 3) select max(n) from t',
      [[3]],
    ],
    ['from events select count()', [[3]]],
    ['(select count() as n from events) union all (select 1 as n from persons limit 1);', [[3], [1]]],
    ['-- a remark\n/* another */ select count() from events -- the end', [[3]]],
    ['select count() from events;', [[3]]],
    ['select (select count() from events), n from (select count() as n from persons)', [[3, 2]]],
    ['select count() from events as a join events as b using (uuid)', [[3]]],
  ])('%s', async (text, told) => {
    const answered = await rows(text)
    expect(answered.map(String).sort()).toEqual(told.map(String).sort())
  })

  test('knows who was merged', async () => {
    const persons = 'select person_id, count() as n from events group by person_id order by n desc'
    expect(await rows(persons)).toHaveLength(3)
    expect(await rows(persons, { hasMerged: true })).toEqual([
      [ana, 2],
      [eve, 1],
    ])
    const buyer = 'select person_id from sessions where person_id in (select person_id from persons)'
    expect(await rows(buyer, { hasMerged: true })).toEqual([[ana]])
  })

  test('shows persons, sessions and groups as they are now', async () => {
    expect(await rows("select person_id, properties['plan'] from persons order by person_id")).toEqual([
      [ana, 'pro'],
      [eve, ''],
    ])
    expect(await rows("select type, key, properties['name'] from groups")).toEqual([
      ['company', 'acme', 'Acme Ltd'],
    ])
    expect(await rows('select views, events, duration, entry_path, revenue from sessions')).toEqual([
      [0, 2, 60, '', 5],
    ])
  })

  test('holds large numbers and what is no number', async () => {
    expect(await rows("select toUInt64('18446744073709551615'), nan, 1 / 0, [9007199254740993]")).toEqual([
      ['18446744073709551615', 'nan', 'inf', ['9007199254740993']],
    ])
  })

  test('puts a period where it is asked for', async () => {
    const period = { from: new Date('2026-03-01T00:00:00Z'), until: new Date('2026-03-02T10:00:30Z') }
    const text =
      'select count() from events where timestamp >= {from:DateTime64} and timestamp < {until:DateTime64}'
    expect(await rows(text, { period })).toEqual([[1]])
  })

  test('ends after ten thousand rows, and says so', async () => {
    const many = await ask('select number from numbers(100000)')
    expect([many.rows.length, many.isCut]).toEqual([10_000, true])
    const enough = await ask('select number from numbers(10000)')
    expect([enough.rows.length, enough.isCut]).toEqual([10_000, false])
  })

  test('ends when an answer is too large to be shown', async () => {
    const { isCut, rows: told } = await ask("select repeat('x', 1000000) from numbers(100)")
    expect(isCut).toBe(true)
    expect(told.length).toBeLessThan(40)
  })

  test('stops when its caller aborts', async () => {
    const going = new AbortController()
    const answer = engine.runUserQuery(
      {
        text: 'select count() from numbers(100000000000) where number % 7 = 8',
        projectId: acme,
        hasMerged: false,
      },
      { signal: going.signal },
    )
    setTimeout(() => going.abort(), 100)
    await expect(answer).rejects.toMatchObject({ failure: 'cancelled' })
  })

  test('no row of another project is looked at, not even on the way to an error', async () => {
    const secret =
      "select count() from events where toUInt8(if(distinct_id = 'secret', 'the secret', '1')) = 1"
    expect(await rows(secret)).toEqual([[3]])
    expect(
      await rows("select count() from events where throwIf(distinct_id = 'secret', 'it is there') = 0"),
    ).toEqual([[3]])
  })

  if (hasSecondWall)
    test.each([
      // queries that would leave the project, were they not refused before    the reason why they do not
      ['select * from tilth.events', 'Not enough privileges'],
      ['select * from tilth.person_overrides', 'Not enough privileges'],
      ['select * from mergeTreeIndex(tilth, events)', 'Not enough privileges'],
      ["select * from merge('^tilth', '^events$')", ''],
      ["select * from file('/etc/hostname', 'LineAsString')", 'Not enough privileges'],
      ["select * from url('http://127.0.0.1:9/', 'LineAsString')", 'Not enough privileges'],
      ["select * from remote('127.0.0.1', 'tilth.events')", 'Not enough privileges'],
      ["select * from mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')", 'Not enough privileges'],
      ["select * from executable('id', 'TSV', 'a String')", ''],
      ['select * from system.users', 'Not enough privileges'],
      ['select * from system.processes', 'Not enough privileges'],
      ['select * from system.query_log', ''],
      ['select 1 settings max_threads = 9', 'readonly mode'],
      // A subquery may set it, and it is of no use there.
      ['select * from (select * from tilth.events settings readonly = 0)', 'Not enough privileges'],
      ["select * from (select * from file('/etc/hostname') settings readonly = 0)", 'Not enough privileges'],
      [
        "select * from (select * from url('http://127.0.0.1:9/') settings readonly = 0)",
        'Not enough privileges',
      ],
      ['set readonly = 0', 'readonly mode'],
      ["select 1 into outfile '/tmp/tilth-was-here'", 'INTO OUTFILE is not allowed'],
      ["insert into function file('/tmp/tilth-was-here.csv', 'CSV', 'a UInt8') select 1", ''],
      ["insert into events (event) values ('x')", 'Not enough privileges'],
      ['create table tilth_sql.x (a UInt8) engine = Memory', ''],
      ['drop view events', ''],
      ['kill query where 1', ''],
      ['system shutdown', ''],
      ['system stop merges tilth.events', 'Not enough privileges'],
      ['select * from tilth.groups', 'Not enough privileges'],
      ['select * from tilth.tilth_migrations', 'Not enough privileges'],
      ['select * from mergeTreeProjection(tilth, events, x)', ''],
      ['select * from mergeTreeAnalyzeIndexes(tilth, events)', ''],
      ['select * from system.row_policies', 'Not enough privileges'],
      ["select * from s3('http://127.0.0.1:9/bucket/x')", 'Not enough privileges'],
      // The engine opens the file before it asks for the right to, and its process may not.
      ["select * from sqlite('/tmp/x.db', 't')", ''],
      ['select * from Python(x)', ''],
      ['select * from loop(tilth.events)', 'Not enough privileges'],
      ['select * from view(select * from tilth.events)', 'Not enough privileges'],
      ['explain select * from tilth.events', 'Not enough privileges'],
      ['describe table tilth.events', 'Not enough privileges'],
      ['alter table tilth.events delete where 1', 'Not enough privileges'],
      ['truncate table tilth.events', 'Not enough privileges'],
      ["alter user tilth_asker identified by 'x'", 'Not enough privileges'],
      ['grant select on *.* to tilth_asker', 'Not enough privileges'],
      ["backup table tilth.events to File('/tmp/tilth-was-here')", ''],
      ['attach table tilth.x', ''],
      ['select * from `.inner.x`', ''],
      ['select addressToLine(1)', ''],
      ['select 1; select 2', 'Multi-statements'],
    ])('the user it runs as may not: %s', async (text, why) => {
      const message = await refusal(text)
      expect(message).toMatch(/^EngineError/)
      expect(message).toContain(why)
    })

  if (hasSecondWall)
    test('sees of the tables of the engine no more than the views', async () => {
      const seen =
        "select distinct database from system.tables where database not in ('system') order by database"
      expect((await rows(seen)).flat().filter((name) => !/^information_schema$/i.test(String(name)))).toEqual(
        ['tilth_sql', 'tilth_sql_merged'],
      )
    })

  test.each(viewNames)('%s has the columns that are described', async (view) => {
    const [plain, merged] = [
      await ask(`select * from ${view} limit 0`),
      await ask(`select * from ${view} limit 0`, { hasMerged: true }),
    ]
    const described = Object.entries(projectViews[view].columns).map(([name, { type }]) => ({ name, type }))
    expect(byName(plain.columns)).toEqual(byName(described))
    expect(byName(merged.columns)).toEqual(byName(described))
  })

  test('answers for one project what it answers where there is no other', async () => {
    const alone = 1000
    await engine.insert('events', acmeRows(alone, 40))
    // All are in the same part and granule, before and after, as they are after any merge.
    await engine.insert('events', [...mixed(40)].join('\n'))
    await assert(
      asyncProperty(selects, async (text) => {
        const [inCompany, byItself] = await Promise.all([
          rows(text, { projectId: 2000 }),
          rows(text, { projectId: alone }),
        ])
        expect(inCompany).toEqual(byItself)
      }),
      { numRuns: runs(40) },
    )
  })
})

const byName = (columns: readonly { name: string; type: string }[]) =>
  columns.toSorted((one, another) => one.name.localeCompare(another.name))

const names = ['look', 'buy', 'leave']

const rowOf = (projectId: number, n: number) => ({
  project_id: projectId,
  uuid: randomUUID(),
  event: names[n % 3],
  timestamp: new Date(Date.parse('2026-03-02T10:00:00Z') + n * 60_000).toISOString(),
  received_at: '2026-03-02 10:00:00',
  distinct_id: `d${n % 5}`,
  person_id: `00000000-0000-4000-a000-00000000000${n % 5}`,
  session_id: `10000000-0000-4000-a000-00000000000${n % 7}`,
  traffic: 'human',
  path: `/${n % 4}`,
  revenue: n % 3,
  properties: { plan: n % 2 ? 'pro' : 'free', n: String(n) },
})

const acmeRows = (projectId: number, count: number): string =>
  Array.from({ length: count }, (_, n) => JSON.stringify(rowOf(projectId, n))).join('\n')

function* mixed(count: number) {
  for (let n = 0; n < count; n++) {
    yield JSON.stringify(rowOf(2000, n))
    yield JSON.stringify({ ...rowOf(1999, n + 5), event: 'secret', revenue: 1000 })
    yield JSON.stringify({ ...rowOf(2001, n + 9), properties: { plan: 'secret', n: 'not a number' } })
  }
}

const column = constantFrom(
  'event',
  'distinct_id',
  'path',
  "properties['plan']",
  'toHour(timestamp)',
  'person_id',
)
const figure = constantFrom(
  'count()',
  'uniqExact(person_id)',
  'sum(revenue)',
  "sum(toUInt32(properties['n']))",
  'min(timestamp)',
  'arraySort(groupUniqArray(event))',
)
const condition = constantFrom(
  'true',
  "event = 'buy'",
  "event != 'look'",
  'revenue > 0',
  "toUInt32(properties['n']) > 7",
  "distinct_id in (select distinct_id from events where event = 'buy')",
  "timestamp >= '2026-03-02 10:20:00'",
  'person_id not in (select person_id from sessions where views > 2)',
)
const selects = tuple(column, figure, condition, condition, boolean()).map(
  ([by, what, where, having, isNested]) =>
    `select ${by} as by, ${what} as what
       from ${isNested ? `(select * from events where ${having})` : 'events'}
       where ${where} group by by order by toString(by)`,
)

async function fill(engine: Engine): Promise<void> {
  const event = (projectId: number, changes: object) => ({
    ...rowOf(projectId, 0),
    session_id: '00000000-0000-0000-0000-000000000000',
    properties: {},
    ...changes,
  })
  const session = '20000000-0000-4000-a000-000000000001'
  const events = [
    event(acme, {
      event: 'buy',
      distinct_id: 'a',
      person_id: ana,
      session_id: session,
      path: '',
      revenue: 5,
    }),
    event(acme, {
      event: 'look',
      distinct_id: 'b',
      person_id: ben,
      session_id: session,
      path: '',
      timestamp: '2026-03-02T10:01:00Z',
    }),
    event(acme, { event: 'look', distinct_id: 'e', person_id: eve, timestamp: '2026-03-02T11:00:00Z' }),
    event(other, { event: 'look', distinct_id: 'secret', person_id: ben }),
  ]
  const person = { created_at: '2026-03-01 00:00:00', is_identified: true, is_deleted: 0 }
  const persons = [
    { ...person, project_id: acme, person_id: ana, properties: { plan: 'free' }, version: 1 },
    { ...person, project_id: acme, person_id: ana, properties: { plan: 'pro' }, version: 2 },
    { ...person, project_id: acme, person_id: eve, properties: {}, version: 1 },
    { ...person, project_id: acme, person_id: ben, properties: {}, version: 2, is_deleted: 1 },
    { ...person, project_id: other, person_id: ben, properties: { plan: 'secret' }, version: 1 },
  ]
  const group = { type: 'company', key: 'acme', created_at: '2026-03-01 00:00:00', version: 1 }
  const groups = [
    { ...group, project_id: acme, properties: { name: 'Acme Ltd' } },
    { ...group, project_id: other, properties: { name: 'secret' } },
  ]
  const merged = { project_id: acme, from_person_id: ben, to_person_id: ana, version: 1 }
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
  await engine.insert('events', lines(events))
  await engine.insert('persons', lines(persons))
  await engine.insert('groups', lines(groups))
  await engine.insert('person_overrides', lines([merged]))
}
