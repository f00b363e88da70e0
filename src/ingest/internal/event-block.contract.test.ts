import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '#engine/engine'
import { openEngine } from '#engine/open'
import { temporaryEngine, temporaryServer } from '#engine/internal/temporary'
import { sql, uint } from '#engine/sql'
import type { EventColumns, PreparedEvent } from '#events/event'
import { eventNumber, uuidNumber } from '#test/deep/crashlab/events'
import { textColumns } from '#events/text-columns'
import { EventBlock } from './event-block'
import { rowToStore } from './store-rows'

/** The same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const texts = [
  '',
  'a',
  'ordinary words',
  'tab\tand\nline\r\nbreak',
  `quote " ' \\ and \\n`,
  'nul \u0000 and \u001f and \u007f',
  'Zoë',
  '日本語のタイトル',
  '🌱👩‍👩‍👧‍👦',
  '\u2028\u2029\ufeff',
  '{"nested":[1,null,"x"]}',
  '__proto__',
  'constructor',
  'x'.repeat(64),
  'ü'.repeat(64),
  'x'.repeat(127),
  'x'.repeat(128),
  'long '.repeat(4000),
  'ü'.repeat(20_000),
]
const loneSurrogates = ['\ud83c', 'a\udc00b', '\ud800\ud800']
const numbers = [0, -0, 1, -1, 12.34, -0.5, 1e15, -1e15, 123_456.789, 2 ** 53, 1e300, 5e-324, Number.NaN]
const times = [
  '1970-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '1969-12-31T23:59:59.001Z',
  '1925-06-01T12:00:00.500Z',
  '2000-02-29T00:00:00.001Z',
  '2026-11-20T12:34:56.789Z',
  '2105-12-31T23:59:59.999Z',
  '2106-02-07T06:28:15.999Z',
  '2150-01-01T00:00:00.000Z',
  '2298-01-01T00:00:00.250Z',
]

function randomEvent(n: number, random: () => number): PreparedEvent {
  const oneOf = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] ?? expect.unreachable('a list is never empty')
  const isOdd = random() < 0.2
  const text = () => (isOdd && random() < 0.1 ? oneOf(loneSurrogates) : oneOf(texts))
  const time = () =>
    new Date(isOdd ? oneOf(times) : Date.UTC(2025, 0, 1) + Math.floor(random() * 400 * 86_400_000))
  const map = (most: number) =>
    Object.fromEntries(
      Array.from({ length: Math.floor(random() * most) }, () => [
        random() < 0.5 ? `property ${Math.floor(random() * 400)}` : text(),
        text(),
      ]),
    )
  const columns: Partial<EventColumns> = Object.fromEntries(
    textColumns.flatMap((name) => (random() < 0.4 ? [[name, text()]] : [])),
  )
  if (random() < 0.3) columns.revenue = oneOf(numbers)
  if (random() < 0.3) columns.engaged_ms = oneOf(numbers)
  if (random() < 0.3) columns.scroll_depth = oneOf(numbers)
  return eventNumber(n, {
    name: random() < 0.7 ? `event ${n % 300}` : text(),
    at: time(),
    receivedAt: random() < 0.9 ? new Date('2026-11-20T12:00:00.999Z') : time(),
    distinctId: text(),
    sessionId: random() < 0.5 ? '' : uuidNumber(Math.floor(random() * 50)),
    hasPerson: random() < 0.5,
    isCookieless: random() < 0.5,
    groups: random() < 0.2 ? map(3) : {},
    columns: random() < 0.9 ? columns : {},
    properties: map(random() < 0.05 ? 300 : 12),
  })
}

/** Inserts each event as JSON into the first project, and as a block into the second where a block takes it. */
async function insertBothWays(
  engine: Engine,
  events: readonly PreparedEvent[],
  [first, second]: [number, number],
) {
  const rowsIn = (projectId: number) =>
    events.map((event, n) => rowToStore({ ...event, projectId }, uuidNumber(n % 17)))
  const takenAlone = rowsIn(second).filter((row) => new EventBlock(1).add(row))
  const block = new EventBlock(takenAlone.length)
  for (const row of takenAlone) expect(block.add(row)).toBe(true)
  const taken = new Set(takenAlone.map(({ event }) => event.uuid))
  const refused = rowsIn(second).filter(({ event }) => !taken.has(event.uuid))
  const linesOf = (rows: readonly { text: string }[]) => rows.map(({ text }) => text).join('\n')
  await engine.insertNative('events', block.finish())
  await engine.insert('events', linesOf(refused))
  await engine.insert('events', linesOf(rowsIn(first)))
  return { asBlock: takenAlone.length, asJson: refused.length }
}

const stored = (engine: Engine, project: number) =>
  engine.query(
    sql`select * except project_id from events where project_id = ${uint(project)} order by uuid, timestamp`,
    { lane: 'ingest' },
  )

/** Compares bytes, which an answer in JSON may not show. */
async function rowsOfOnlyOne(engine: Engine, [first, second]: [number, number]): Promise<unknown> {
  const rowsOf = (project: number) =>
    sql`select * except project_id from events where project_id = ${uint(project)}`
  const rowsOfOnly = async (one: number, other: number) =>
    await engine.query<{ rows: number }>(
      sql`select count() as rows from (${rowsOf(one)} except ${rowsOf(other)})`,
      { lane: 'ingest' },
    )
  return [await rowsOfOnly(first, second), await rowsOfOnly(second, first)]
}

async function aServer() {
  const server = await temporaryServer()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const engine = openEngine({ form: 'remote', url: server.url, log, probeEveryMs: 100 })
  const remove = async () => {
    await engine.close()
    await server.remove()
  }
  return { engine, remove }
}

describe.each([
  ['the embedded engine', temporaryEngine],
  ['a server', aServer],
])('%s', (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    opened = await open()
    await opened.engine.ready()
  })
  afterAll(async () => await opened.remove())

  test.each([1, 2, 3])('stores the same of a block of columns as of JSON, seed %i', async (seed) => {
    const { engine } = opened
    const random = randomNumbers(seed)
    const events = Array.from({ length: 700 }, (__, n) => randomEvent(n, random))
    const projects: [number, number] = [seed * 10, seed * 10 + 1]

    const { asBlock, asJson } = await insertBothWays(engine, events, projects)

    expect(asBlock).toBeGreaterThan(400)
    expect(asJson).toBeGreaterThan(20)
    expect(await rowsOfOnlyOne(engine, projects)).toEqual([[{ rows: 0 }], [{ rows: 0 }]])
    const inJson = await stored(engine, projects[0])
    expect(inJson).toHaveLength(700)
    expect(await stored(engine, projects[1])).toEqual(inJson)
  })

  test('stores blocks without any entry of a map, and with more than 65,536 words', async () => {
    const { engine } = opened
    const bare = eventNumber(1, { columns: {}, properties: {}, groups: {} })
    const many = Array.from({ length: 66_000 }, (__, n) => eventNumber(n, { columns: { path: `/${n}` } }))
    await insertBothWays(engine, [bare], [100, 101])
    await insertBothWays(engine, [bare, ...many], [102, 103])

    expect(await rowsOfOnlyOne(engine, [100, 101])).toEqual([[{ rows: 0 }], [{ rows: 0 }]])
    expect(await rowsOfOnlyOne(engine, [102, 103])).toEqual([[{ rows: 0 }], [{ rows: 0 }]])
  })
})

test.each<[string, Partial<PreparedEvent>]>([
  ['a lone surrogate in a property', { properties: { a: 'b\ud83c' } }],
  ['a lone surrogate in a name', { name: '\udc00' }],
  ['a lone surrogate in a group', { groups: { company: '\ud800' } }],
  ['a time before 1970', { at: new Date(-1) }],
  ['a time that 32 bits do not hold', { at: new Date('2106-02-07T06:28:16Z') }],
  ['no time', { receivedAt: new Date(Number.NaN) }],
  ['a uuid of another form', { uuid: '0f8fad5bd9cb469fa16570867728950e' }],
  ['a uuid with another letter', { uuid: '0f8fad5b-d9cb-469f-a165-7086772895üe' }],
  ['a number that JSON does not have', { columns: { revenue: Number.POSITIVE_INFINITY } }],
  ['a value that is no text', { properties: JSON.parse('{"a":1}') }],
  ['a column of another version', { columns: JSON.parse('{"later":"x"}') }],
  ['a project that is no number', { projectId: 1.5 }],
])('a row with %s is left to JSON', (_, changes) => {
  const event = eventNumber(1)
  expect(new EventBlock(1).add(rowToStore(event, uuidNumber(1)))).toBe(true)
  const safe = { ...event, ...changes }
  const head = { head: '{}', details: rowToStore(event, '').details }
  const details = changes.columns || changes.properties ? rowToStore(safe, '').details : head.details
  expect(new EventBlock(1).add({ event: safe, personId: uuidNumber(1), sessionId: '', details })).toBe(false)
})
