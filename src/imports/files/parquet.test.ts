import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Properties } from '#events/event'
import { temporaryServer } from '#engine/internal/temporary'
import { aZip } from '#test/outside/zip'
import { aFolder } from '#test/product/fixture'
import { readExport } from '#test/product/import-source-fixture'
import { endAfterFile } from '#test/running/end-after-file'
import { portionsOf } from '../portions'
import { importSources } from '../sources/sources'
import { readSource } from '../source-reader'
import { unpackFramedLz4, unpackLz4 } from './internal/lz4'
import { UnreadableFileError } from './limits'
import { type FileRow, readRows } from './read-rows'

const endLater = endAfterFile()
let address: URL
beforeAll(async () => {
  const server = await temporaryServer()
  endLater(() => server.remove())
  address = new URL(server.url)
})

/** Has a ClickHouse server answer in a format, as the products do whose exports are Parquet. */
async function answered(
  statement: string,
  format: string,
  settings: Record<string, string> = {},
): Promise<Buffer> {
  const parameters = new URLSearchParams({ ...settings, query: `${statement} format ${format}` })
  const authorization = `Basic ${btoa(`${address.username}:${address.password}`)}`
  const response = await fetch(`${address.origin}/?${parameters}`, { headers: { authorization } })
  const body = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(body.toString('utf8'))
  return body
}

const parquet = (statement: string, method = 'zstd', settings: Record<string, string> = {}) =>
  answered(statement, 'Parquet', { output_format_parquet_compression_method: method, ...settings })

function aFile(name: string, content: Uint8Array): string {
  const folder = aFolder()
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function all(...paths: string[]): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for await (const row of readRows(paths)) rows.push(row)
  return rows
}

const contents = async (...paths: string[]) =>
  (await all(...paths)).map((one) => ('row' in one ? one.row : one.problem))

/** The columns of a batch export of PostHog's. */
const posthogRows = (amount: number): string => `
  select concat('018f0000-0000-7000-8000-', leftPad(toString(number), 12, '0')) as uuid,
         if(number % 3 = 0, '$pageview', 'order placed') as event,
         concat('visitor ', toString(number % 7)) as distinct_id,
         '0c3d7f2e-0000-4000-8000-000000000001' as person_id,
         concat('{"amount":', toString(number), ',"name":"Zoë 東京"}') as properties,
         '{"plan":"pro"}' as person_properties,
         if(number % 2 = 0, null, 'a:href="/x"') as elements_chain,
         toDateTime64('2024-03-01 10:00:00.123', 6, 'UTC') + number as timestamp,
         toDateTime64('2024-03-01 10:00:01', 6, 'UTC') + number as created_at,
         toInt64(2) as team_id
  from numbers(${amount})`

test.each(['none', 'snappy', 'lz4', 'zstd', 'gzip', 'brotli'])(
  'a batch export of PostHog with %s becomes the events that its lines of JSON become',
  async (method) => {
    const groups = { output_format_parquet_row_group_size: '700' }
    const table = await readExport('posthog', await parquet(posthogRows(2000), method, groups))
    const lines = await readExport(
      'posthog',
      (await answered(posthogRows(2000), 'JSONEachRow')).toString('utf8'),
    )
    expect(table.rows).toBe(2000)
    expect(table.events).toEqual(lines.events)
    expect(table.events[1]).toMatchObject({
      uuid: '018f0000-0000-7000-8000-000000000001',
      at: '2024-03-01T10:00:01.123Z',
      properties: { amount: 1, name: 'Zoë 東京', $elements_chain: 'a:href="/x"' },
    })
  },
)

/** Nested, as the tables of Google Analytics are in BigQuery. */
const ga4Rows = (amount: number): string => `
  select '20240504' as event_date,
         toInt64(1714817472345678 + number) as event_timestamp,
         'purchase' as event_name,
         concat('111.', toString(number % 5)) as user_pseudo_id,
         cast([('page_location', ('https://acme.example/done', null, null, null)),
               ('ga_session_id', (null, 1714817400, null, null)),
               ('coupon', (null, null, null, 1.5))],
           'Array(Tuple(key String, value Tuple(string_value Nullable(String), int_value Nullable(Int64), float_value Nullable(Float64), double_value Nullable(Float64))))') as event_params,
         cast(('desktop', 'Macintosh', tuple('Chrome')),
           'Tuple(category String, operating_system String, web_info Tuple(browser String))') as device
  from numbers(${amount})`

test('nested columns of BigQuery are those of its lines of JSON, where whole numbers are texts', async () => {
  const table = await readExport(
    'ga4',
    await parquet(ga4Rows(1500), 'zstd', { output_format_parquet_row_group_size: '600' }),
  )
  const quoted = await answered(ga4Rows(1500), 'JSONEachRow', {
    output_format_json_quote_64bit_integers: '1',
  })
  const lines = await readExport('ga4', quoted.toString('utf8'))
  expect(table.events).toEqual(lines.events)
  expect(table.events).toHaveLength(1500)
  expect(table.events[0]).toMatchObject({
    at: '2024-05-04T10:11:12.345Z',
    properties: { coupon: 1.5, $current_url: 'https://acme.example/done', $browser: 'Chrome' },
  })
})

test('values of every kind have a form in JSON', async () => {
  const bytes = await parquet(`
    select toUInt64(18446744073709551615) as large, toInt8(-1) as small, 1.5 as fraction, nan as none,
           true as yes, toDate32('2024-05-04') as day, toDecimal64(12.5, 2) as price,
           ['a', 'b'] as list, map('k', 1) as pairs, cast(null, 'Nullable(String)') as gone,
           toLowCardinality('again') as word`)
  expect(await contents(aFile('kinds.parquet', bytes))).toEqual([
    {
      large: '18446744073709551615',
      small: -1,
      fraction: 1.5,
      none: null,
      yes: true,
      day: '2024-05-04',
      price: 12.5,
      list: ['a', 'b'],
      pairs: { k: expect.anything() as unknown },
      gone: null,
      word: 'again',
    },
  ])
})

test('packed once more, or in an archive, it is read as well', async () => {
  const bytes = await parquet('select number as a from numbers(3)')
  const rows = await contents(aFile('a.parquet', bytes))
  expect(rows).toHaveLength(3)
  expect(await contents(aFile('a.parquet.gz', gzipSync(bytes)))).toEqual(rows)
  expect(await contents(aFile('a.zip', aZip({ 'a/a.parquet': bytes })))).toEqual(rows)
})

test('an import that continues in the middle of a row group has each event once', async () => {
  const path = aFile(
    'events.parquet',
    await parquet(posthogRows(1000), 'snappy', { output_format_parquet_row_group_size: '400' }),
  )
  const source = importSources.posthog
  const uuidsFrom = async (skip: number) => {
    const uuids: string[] = []
    await readSource([path], source, async (read) => {
      for await (const { events } of portionsOf(read, {
        source,
        now: new Date('2026-01-01'),
        skip,
        mostEvents: 30,
      }))
        uuids.push(...events.map(({ uuid }) => uuid))
    })
    return uuids
  }
  const whole = await uuidsFrom(0)
  expect(new Set(whole).size).toBe(1000)
  for (const skip of [1, 399, 400, 555, 999]) expect(await uuidsFrom(skip)).toEqual(whole.slice(skip))
})

test('a table that is cut or changed is refused with a sentence, and reads nothing but rows', async () => {
  const bytes = await parquet(posthogRows(300), 'snappy', { output_format_parquet_row_group_size: '100' })
  for (const length of [4, 11, 200, bytes.length - 500, bytes.length - 1])
    await expect(all(aFile('cut.parquet', bytes.subarray(0, length)))).rejects.toThrow(
      'cut.parquet is cut or damaged',
    )

  const place = fc.integer({ min: 4, max: bytes.length - 1 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 4 }),
      async (changes) => {
        const changed = Buffer.from(bytes)
        for (const [at, byte] of changes) changed[at] = byte
        const outcome = await all(aFile('changed.parquet', changed)).catch((problem: unknown) => problem)
        expect(Array.isArray(outcome) || outcome instanceof UnreadableFileError).toBe(true)
      },
    ),
  )
})

test.each([
  [
    'a text that a dictionary repeats',
    `select toLowCardinality(repeat('x', 1000000)) as properties from numbers(300)`,
  ],
  ['a text that packs well', `select repeat('x', 1000000) as properties from numbers(600)`],
])('%s beyond all measure is stopped', async (_, statement) => {
  const path = aFile('bomb.parquet', await parquet(statement))
  await expect(all(path)).rejects.toThrow('bomb.parquet unpacks to more than 200 times its size')
})

test('a row beyond the limit is left out, and those around it are read', async () => {
  const statement = `select if(number = 1, arrayStringConcat(arrayMap(x -> repeat('x', 1000000), range(17))), 'a') as a from numbers(3)`
  expect(await contents(aFile('long.parquet', await parquet(statement)))).toEqual([
    { a: 'a' },
    'longer than 16 MB',
    { a: 'a' },
  ])
})

test('texts that are not UTF-8 are refused', async () => {
  const bytes = await parquet(`select unhex('636166E9') as name`)
  await expect(all(aFile('latin.parquet', bytes))).rejects.toThrow(
    'latin.parquet holds a text that is not UTF-8',
  )
})

test('a name of a column changes no object', async () => {
  const [row] = await contents(
    aFile('odd.parquet', await parquet(`select 'x' as "__proto__", 1 as constructor`)),
  )
  expect(Object.keys(row as Properties)).toEqual(['__proto__', 'constructor'])
  expect({}).not.toHaveProperty('x')
})

const sized = (unpacked: number, block: Buffer): Buffer => {
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32BE(unpacked)
  sizes.writeUInt32BE(block.length, 4)
  return Buffer.concat([sizes, block])
}
/** Three letters, and nine that repeat them; then two letters. */
const block = Buffer.from([0x35, 0x61, 0x62, 0x63, 3, 0, 0x20, 0x64, 0x65])
const unpackedBlock = 'abcabcabcabcde'

test.each([
  ['bare', unpackLz4, block, unpackedBlock],
  ['bare under the old name', unpackFramedLz4, block, unpackedBlock],
  [
    'in two blocks of Hadoop',
    unpackFramedLz4,
    Buffer.concat([sized(14, block), sized(14, block)]),
    unpackedBlock.repeat(2),
  ],
  ['of a long literal', unpackLz4, Buffer.from([0xf0, 255, 10, ...Buffer.alloc(280, 'x')]), 'x'.repeat(280)],
])('LZ4 %s is unpacked', (_, unpack, packed, text) => {
  expect(Buffer.from(unpack(packed, text.length)).toString()).toBe(text)
})

test.each([
  ['ends within a literal', [0x50, 0x61]],
  ['ends within a length', [0xf0, 255]],
  ['copies from before its beginning', [0x15, 0x61, 9, 0, 0x00]],
  ['copies from where it is', [0x15, 0x61, 0, 0, 0x00]],
  ['goes beyond the size', [0x1f, 0x61, 1, 0, 255, 255, 255, 0]],
  ['is shorter than the size', [0x10, 0x61]],
])('LZ4 that %s is damaged', (_, bytes) => {
  expect(() => unpackLz4(Buffer.from(bytes), 14)).toThrow('LZ4')
})
