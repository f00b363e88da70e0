import { describe, expect, test, vi } from 'vitest'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { type KeyViewer, localOrigin, operator, AccessRefusedError, type Right } from '#projects/access'
import { sql } from '#engine/sql'
import { realWorld } from '#world/world'
import { patienceMs } from '#test/running/patience'
import { Insights } from '#insights/ask'

const testEngine = anEngine()

const story: TestEvent[] = [
  { person: 'ana', event: 'buy', at: '2026-03-01T12:00:00Z', properties: { plan: 'pro' } },
  { person: 'ben', event: 'look', at: '2026-03-02T12:00:00Z' },
  { person: 'eve', event: 'look', at: '2026-03-03T12:00:00Z' },
]

async function aProject(changes: object = {}) {
  const [id = 0] = await testEngine.addProjects([story, story])
  const project = {
    id,
    slug: `project-${id}`,
    name: 'A project',
    timeZone: 'UTC',
    writeKey: 'tk_write',
    hosts: [],
    siteAddress: '',
    aliases: [],
    intake: {},
    answers: {},
    createdAt: new Date('2026-01-01'),
    archivedAt: undefined,
    ...changes,
  }
  const insights = new Insights({
    engine: testEngine.engine(),
    written: testEngine.engine(),
    projects: { numbered: (number) => (number === id ? project : undefined) },
    world: realWorld,
    cohorts: () => Promise.resolve(() => undefined),
  })
  const ask = (text: string, more: object = {}) =>
    insights.ask(id, { kind: 'sql', text, ...more }, operator())
  const rows = async (text: string, more?: object) => {
    const outcome = await ask(text, more)
    if (!outcome.done) throw new Error(outcome.problems.map(({ message }) => message).join(' '))
    return outcome.answer.rows
  }
  const messageOf = async (text: string) => {
    const outcome = await ask(text)
    return outcome.done ? 'It answered.' : outcome.problems.map(({ message }) => message).join(' ')
  }
  return { id, insights, ask, rows, messageOf }
}

test('a statement is answered from the rows of its project', async () => {
  const { rows } = await aProject()
  expect(await rows('select event, count() as n from events group by event order by event')).toEqual([
    ['buy', 1],
    ['look', 2],
  ])
  expect(await rows("select properties['plan'] from events where event = 'buy'")).toEqual([['pro']])
})

test('its answer is a table, in which lists and maps are text', async () => {
  const { ask } = await aProject()
  const outcome = await ask(
    "select 1.5 as half, 'a' as a, null as nothing, [1, 2] as list, true as yes, toDateTime('2026-03-01 00:00:00', 'UTC') as at",
  )
  if (!outcome.done) throw new Error('not answered')
  expect(outcome.table).toEqual({
    columns: [
      { name: 'half', as: 'number' },
      { name: 'a', as: 'text' },
      { name: 'nothing', as: 'text' },
      { name: 'list', as: 'text' },
      { name: 'yes', as: 'text' },
      { name: 'at', as: 'date' },
    ],
    rows: [[1.5, 'a', null, '[1,2]', 'true', '2026-03-01T00:00:00Z']],
  })
})

test('{{from}} and {{until}} are the ends of the period, on the project’s calendar', async () => {
  const { rows } = await aProject({ timeZone: 'Asia/Tokyo' })
  const counted = 'select count() from events where timestamp >= {{from}} and timestamp < {{ until }}'
  expect(await rows(counted, { period: '2026-03-01..2026-03-02' })).toEqual([[2]])
  expect(await rows('select {{from}}', { period: '2026-03-02..2026-03-02' })).toEqual([
    ['2026-03-01T15:00:00.000Z'],
  ])
})

test('persons who were merged are one', async () => {
  const { id, rows } = await aProject()
  await testEngine.fill('person_overrides', [
    { project_id: id, from_person_id: uuidFor('ben'), to_person_id: uuidFor('ana'), version: 1 },
  ])
  expect(await rows('select uniqExact(person_id) from events')).toEqual([[2]])
})

test('an answer can show the statement that the engine ran', async () => {
  const { id, insights } = await aProject()
  const text = 'select count(distinct_id) from events'
  const outcome = await insights.ask(id, { kind: 'sql', text }, operator(), { explain: true })
  expect(outcome).toMatchObject({
    explained: expect.arrayContaining([expect.objectContaining({ sql: text })]),
  })
})

describe('what is wrong is said where it is', () => {
  test.each([
    // written                                                said
    ['', 'Write a query, such as: select count() from events'],
    ['select evnt from events', 'Line 1, column 8: There is no column "evnt" here. Did you mean "event"?'],
    ['select count()\nfrom events\nwhere x x', 'Line 3, column 9: Unexpected "x".'],
    [
      'select count()\nfrom events\nwhere',
      'Line 3, column 6: The query ends too early: something is missing here.',
    ],
    ["select 'ä', 'é'\n, 'open", 'Line 2, column 3: A quote is opened here and never closed.'],
    ['select {{from}}, {{until}} x x', 'Line 1, column 30: Unexpected "x".'],
    ['select (1, 2 from events', 'Line 1, column 8: A bracket is not closed.'],
    [
      'select event, count() from events',
      'Line 1, column 8: "event" is neither aggregated nor in "group by".',
    ],
    ['select e.foo from events as e', 'Line 1, column 10: There is no column "e.foo" here.'],
    [
      'select * from nowhere',
      'There is no table "nowhere" here. There are events, persons, sessions and groups.',
    ],
    ['select 1 settings max_threads = 9', 'Remove SETTINGS: query limits are fixed.'],
    ['select sum(event) from events', 'Illegal type String of argument for aggregate function sum.'],
    [
      "select toUInt8('x')",
      "Cannot parse string 'x' as UInt8: syntax error at begin of string. Note: there are toUInt8OrZero and toUInt8OrNull functions, which returns zero/NULL instead of throwing exception.",
    ],
    ['select {x:String}', 'Line 1, column 9: "{x}" is not a placeholder. Use {{from}} or {{until}}.'],
    [
      "select file('/etc/passwd')",
      'The function "file" is not available here: it reads from outside of the project.',
    ],
  ])('%s', async (text, sentence) => {
    const { messageOf } = await aProject()
    expect(await messageOf(text)).toBe(sentence)
  })
})

test('a filter beside the statement is refused rather than left out', async () => {
  const { ask } = await aProject()
  const filter = { type: 'event', key: 'plan', operator: 'is', value: 'pro' }
  expect(await ask('select 1', { filter })).toMatchObject({
    done: false,
    problems: [{ field: 'filter' }],
  })
})

test('asking takes a right of its own', async () => {
  const { id, insights } = await aProject()
  const key = (...scopes: Right[]): KeyViewer => ({
    kind: 'key',
    keyId: 'k1',
    name: 'Export',
    projectId: id,
    scopes: new Set(scopes),
    origin: localOrigin,
  })
  const query = { kind: 'sql', text: 'select 1' }
  await expect(insights.ask(id, query, key('project:read', 'events:read'))).rejects.toThrow(
    AccessRefusedError,
  )
  expect(await insights.ask(id, query, key('events:read', 'sql:read'))).toMatchObject({ done: true })
  expect(() => insights.tables(id, key('project:read', 'events:read'))).toThrow(AccessRefusedError)
  expect(insights.tables(id, key('events:read', 'sql:read')).map(({ name }) => name)).toEqual([
    'events',
    'persons',
    'sessions',
    'groups',
  ])
})

test('a fifth statement at the same time is told to wait', async () => {
  const { id, insights } = await aProject()
  const going = new AbortController()
  const slow = (n: number) =>
    insights.ask(
      id,
      {
        kind: 'sql',
        text: `select count() from numbers(10000000) as a, numbers(100000) as b where (a.number + b.number) % ${n} = 9`,
      },
      operator(),
      { signal: going.signal },
    )
  const four = [3, 4, 5, 6].map(slow)
  const outcomes = Promise.allSettled(four)
  const running = sql`select query_id from system.processes where query like '%numbers(10000000)%' and query not like '%system.processes%'`
  const inEngine = () => testEngine.engine().query(running, { lane: 'ingest' })
  await vi.waitFor(async () => expect(await inEngine()).not.toEqual([]), { timeout: patienceMs })
  await expect(insights.ask(id, { kind: 'sql', text: 'select 1' }, operator())).rejects.toMatchObject({
    failure: 'unavailable',
    message: '4 queries of this project are running. Wait until one has ended.',
  })
  going.abort()
  expect((await outcomes).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(await insights.ask(id, { kind: 'sql', text: 'select 1' }, operator())).toMatchObject({ done: true })
})
