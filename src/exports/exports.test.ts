import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql, string } from '#engine/sql'
import { AccessRefusedError, operator, type KeyViewer } from '#projects/access'
import { openProduct, type Product } from '#server/product'
import { endAfterFile } from '#test/running/end-after-file'
import { aFolder, aWorld, requireDone } from '#test/product/fixture'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { monthsWithin } from './exports'
import { wholeFile } from './whole-file'

const tested = anEngine()
const viewer = operator()
const endLater = endAfterFile()

const hostile = 'a "quoted",\n\'text\' 東京 🌱'
const order = (person: string, at: string, note = ''): TestEvent => ({
  person,
  event: 'ordered',
  at,
  session: `${person} ${at.slice(0, 7)}`,
  columns: { path: '/', host: 'acme.example', revenue: 2 },
  properties: { note, 'a key': '1' },
  groups: { company: 'x-ray' },
})

const story = [
  order('ana', '2026-01-15T10:00:00Z', hostile),
  order('ben', '2026-01-31T23:59:59.999Z'),
  order('ana', '2026-02-01T00:00:00Z'),
  order('cleo', '2026-03-05T12:00:00Z'),
]

let product: Product
beforeAll(async () => {
  const number = await tested.addProject(story)
  await tested.addProject([order('stranger', '2026-01-01T10:00:00Z')])
  product = await openProduct({
    store: { folder: aFolder(endLater) },
    world: aWorld('exports'),
    engine: tested.engine(),
  })
  endLater(() => product.close())
  await product.projects.create({ name: 'Acme' }, viewer)
  expect(number).toBe(1)
  const merged = { project_id: 1, from_person_id: uuidFor('ben'), to_person_id: uuidFor('ana'), version: 1 }
  await tested.fill('person_overrides', [merged])
})

async function exported(table: string, input: object): Promise<Buffer> {
  const { file } = requireDone(await product.exports.open(1, table, input, viewer))
  return await buffer(Readable.from(file.parts))
}

const lines = (bytes: Buffer) =>
  bytes
    .toString()
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Exports have no order of their own. */
const inOrder = (rows: ReadonlyArray<Record<string, unknown>>) =>
  rows.toSorted((a, b) => String(a['timestamp']).localeCompare(String(b['timestamp'])))

test('the tables of a project are counted by month', async () => {
  expect(await product.exports.tables(1, viewer)).toEqual([
    {
      table: 'events',
      rows: 4,
      months: [
        { month: '2026-01', rows: 2 },
        { month: '2026-02', rows: 1 },
        { month: '2026-03', rows: 1 },
      ],
    },
    { table: 'sessions', rows: 4, months: expect.any(Array) },
    { table: 'persons', rows: 0 },
    { table: 'groups', rows: 0 },
  ])
})

describe('events as JSON lines', () => {
  test('have every column and value as sent, those of other projects left out', async () => {
    const rows = inOrder(lines(await exported('events', {})))
    expect(rows.map(({ timestamp }) => timestamp)).toEqual(story.map(({ at }) => new Date(at).toISOString()))
    expect(rows[0]).toMatchObject({
      event: 'ordered',
      uuid: uuidFor('1 0'),
      properties: { note: hostile, 'a key': '1' },
      groups: { company: 'x-ray' },
      revenue: 2,
      person_id: uuidFor('ana'),
    })
  })

  test('name the person that merged persons are now', async () => {
    const ofBen = lines(await exported('events', {})).filter(({ distinct_id: id }) => id === 'ben')
    expect(ofBen.map(({ person_id: id }) => id)).toEqual([uuidFor('ana')])
  })

  test('are those of the period: from its first instant until before its last', async () => {
    const january = lines(await exported('events', { from: '2026-01-01', until: '2026-02-01' }))
    expect(january).toHaveLength(2)
    expect(lines(await exported('events', { from: '2026-02-01T00:00:00Z' }))).toHaveLength(2)
    expect(await exported('events', { from: '2030-01-01' })).toHaveLength(0)
  })
})

test('events as CSV have one header, and objects as JSON', async () => {
  const csv = (await exported('events', { format: 'csv' })).toString()
  expect(csv.split('"uuid"')).toHaveLength(2)
  expect(csv).toContain('""company"":""x-ray""')
  expect(await exported('events', { format: 'csv', from: '2030-01-01' })).toEqual(
    Buffer.from(`${csv.split('\n', 1)[0]}\n`),
  )
})

test('events as Parquet are read back by the engine as they were', async () => {
  const file = await exported('events', { format: 'parquet' })
  const rows = await tested.engine().query<Record<string, unknown>>(
    sql`
    select uuid, event, toString(timestamp) as at, properties['note'] as note, groups['company'] as company
    from format(Parquet, base64Decode(${string(file.toString('base64'))}))
    order by at`,
    { lane: 'ingest' },
  )
  expect(rows).toHaveLength(4)
  expect(rows[0]).toMatchObject({ uuid: uuidFor('1 0'), event: 'ordered', note: hostile, company: 'x-ray' })
})

describe('an export is refused', () => {
  test('of a table that is not there, of a period where rows have no time, and in an unknown format', async () => {
    expect(await product.exports.open(1, 'secrets', {}, viewer)).toMatchObject({ done: false })
    expect(await product.exports.open(1, 'persons', { from: '2026-01-01' }, viewer)).toMatchObject({
      problems: [{ field: 'from', message: 'The persons of a project have no period. Leave it out.' }],
    })
    expect(await product.exports.open(1, 'events', { format: 'xlsx' }, viewer)).toMatchObject({
      problems: [{ field: 'format', message: 'Choose one of jsonl, csv, parquet.' }],
    })
    expect(await product.exports.open(1, 'events', { from: 'yesterday' }, viewer)).toMatchObject({
      problems: [{ field: 'from' }],
    })
  })

  test('to a key that may only read', async () => {
    const reader: KeyViewer = {
      kind: 'key',
      keyId: 'k',
      name: 'Reader',
      projectId: 1,
      origin: viewer.origin,
      scopes: new Set(['project:read', 'events:read']),
    }
    await expect(product.exports.open(1, 'events', {}, reader)).rejects.toBeInstanceOf(AccessRefusedError)
    await expect(product.exports.tables(1, reader)).rejects.toBeInstanceOf(AccessRefusedError)
  })

  test('while another is written', async () => {
    const { file } = requireDone(await product.exports.open(1, 'events', {}, viewer))
    await file.parts.next()
    expect(await product.exports.open(1, 'events', {}, viewer)).toMatchObject({
      problems: [{ message: 'Another export is being written. Try again once it has ended.' }],
    })
    await file.parts.return(undefined)
    expect(await product.exports.open(1, 'events', {}, viewer)).toMatchObject({ done: true })
  })
})

test.each(['jsonl', 'csv', 'parquet'] as const)(
  'a file that lost rows on the way ends with an error: %s',
  async (format) => {
    const whole = await exported('events', { format })
    const read = (content: Buffer) =>
      text(
        Readable.from(
          wholeFile({ content: Readable.from([content]), rows: 4 }, format, { withHeader: true }),
        ),
      )
    await read(whole)
    await expect(read(whole.subarray(0, -10))).rejects.toThrow('less than the 4 rows')
    await expect(read(Buffer.alloc(0))).rejects.toThrow('less than the 4 rows')
  },
)

test('a period is divided at the beginnings of the months that have rows', () => {
  const at = (day: string) => new Date(day)
  const period = { from: at('2025-12-05'), until: at('2026-02-15') }
  const months = ['2025-11', '2025-12', '2026-02', '2026-03']
  expect(monthsWithin(period, months).map(({ from, until }) => [from, until])).toEqual([
    [at('2025-12-05'), at('2026-01-01')],
    [at('2026-02-01'), at('2026-02-15')],
  ])
  expect(monthsWithin(period, [])).toEqual([{ from: period.from, until: period.from }])
})
