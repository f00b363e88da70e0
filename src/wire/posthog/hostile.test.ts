import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { frontRefusalCases } from '#test/wire/front-refusal-cases'
import {
  someWireServices,
  answerTo,
  type TestWireServices,
  key,
  encodeBody,
  recordedAt,
  type SentRequest,
} from '#test/wire/posthog-fixture'
import { runs } from '#test/random/chance'

const vectors = z.object({
  cases: z.array(z.object({ id: z.string(), body: z.json(), expect_status: z.number().nullable() })),
})
const { cases } = vectors.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/vectors/ingest-hostile.json'), 'utf8')),
)

/** Cases that the front refuses before a dialect is asked; each is tried there against a Tilth that runs. */
const elsewhere = Object.keys(frontRefusalCases)

/** The requests that the builders of the vectors describe. */
const one = { token: key, event: 'e', distinct_id: 'u1' }
const built: Record<string, () => Partial<SentRequest>> = {
  'long-distinct-id': () => ({ body: JSON.stringify({ ...one, distinct_id: 'a'.repeat(1000) }) }),
  'long-event-name': () => ({ body: JSON.stringify({ ...one, event: 'x'.repeat(5000) }) }),
  'wide-props': () => ({ body: JSON.stringify({ ...one, properties: keys(100_000) }) }),
  quota: () => ({ body: JSON.stringify(one) }),
  'proto-query-key': () => ({
    method: 'GET',
    query: { '__proto__[x]': '1', data: Buffer.from(JSON.stringify(one)).toString('base64') },
  }),
  'gzip-bomb': () => ({ body: bomb() }),
  'gzip-of-gzip': () => ({ body: gzipSync(encodeBody(one, ['gzip'])) }),
  'zstd-br-unknown': () => ({ body: JSON.stringify(one), headers: { 'content-encoding': 'zstd' } }),
  'base64-form': () => ({ body: encodeBody(one, ['base64']) }),
}

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))

/** A gigabyte of zeros: many members of gzip, one behind the other, are one body. */
function bomb(): Buffer {
  const member = gzipSync(Buffer.alloc(16 * 1024 ** 2), { level: 9 })
  return Buffer.concat(Array.from({ length: 64 }, () => member))
}

function requestOf(id: string, body: z.core.util.JSONType): Partial<SentRequest> {
  const builder = built[id]
  if (builder) return builder()
  const described =
    z.object({ raw: z.string().optional(), hex: z.string().optional() }).safeParse(body).data ?? {}
  if (described.hex !== undefined) return { body: Buffer.from(described.hex, 'hex') }
  return { body: (described.raw ?? JSON.stringify(body)).replaceAll('$TOKEN', key) }
}

async function send(id: string) {
  const found = cases.find((other) => other.id === id)
  if (!found) throw new Error(`There is no case "${id}".`)
  const services = await someWireServices({ monthlyEvents: id === 'quota' ? 1 : undefined })
  if (id === 'quota') await answerTo({ path: '/i/v0/e/', ...requestOf(id, found.body) }, services)
  const answer = await answerTo({ path: '/i/v0/e/', ...requestOf(id, found.body) }, services)
  return { services, answer }
}

const here = cases.filter(({ id }) => !elsewhere.includes(id))

test.each(here.map(({ id, expect_status }) => [id, expect_status] as const))(
  'C12, C13: %s is answered %i',
  async (id, status) => {
    const { answer, services } = await send(id)
    expect(answer.status).toBe(status)
    if (status !== 200) expect(services.stored).toEqual([])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  },
)

test('C12: every hostile case is tried, here or at the door', () => {
  const ids = cases.map(({ id }) => id)
  expect(ids).toHaveLength(36)
  expect(new Set([...here.map(({ id }) => id), ...elsewhere])).toEqual(new Set(ids))
  // an unknown name would be a case that is never tried
  for (const id of [...elsewhere, ...Object.keys(built)]) expect(ids).toContain(id)
})

test.each<[string, (services: TestWireServices) => unknown, unknown]>([
  ['numeric-distinct-id', (services) => services.stored[0]?.distinctId, '12345'],
  ['long-distinct-id', (services) => services.stored[0]?.distinctId, 'a'.repeat(200)],
  ['long-event-name', (services) => services.stored[0]?.name, 'x'.repeat(200)],
  ['nul-in-event', (services) => services.stored[0]?.name, 'a\uFFFDb'],
  ['lone-surrogate', (services) => services.stored[0]?.name, 'x\uFFFDy'],
  ['emoji', (services) => services.stored[0]?.properties['🔑'], '👨‍👩‍👧'],
  ['html-in-everything', (services) => services.stored[0]?.name, '<img src=x onerror=alert(1)>'],
  ['ts-future', (services) => services.stored[0]?.at, new Date(recordedAt)],
  ['ts-pre-epoch', (services) => services.stored[0]?.at, new Date(recordedAt)],
  [
    'ts-offsets',
    (services) => services.stored.map(({ at }) => at.toISOString()),
    [
      '2025-01-02T03:04:05.000Z',
      '2025-01-02T03:04:05.000Z',
      '2025-01-02T03:04:05.123Z',
      '2025-01-02T03:04:05.000Z',
    ],
  ],
  ['offset-field', (services) => services.stored[0]?.at, new Date(Date.parse(recordedAt) - 60_000)],
  ['uuid-nil', (services) => new Set(services.stored.map(({ uuid }) => uuid)).size, 2],
  ['uuid-dup-diff-content', (services) => services.stored.map(({ name }) => name), ['e', 'other']],
  [
    'identify-merge-loop',
    (services) => services.events().map(({ distinctId, identity }) => [distinctId, identity]),
    [
      ['a', { kind: 'identify', anonymous: 'b' }],
      ['b', { kind: 'identify', anonymous: 'a' }],
    ],
  ],
  ['proto-query-key', (services) => services.stored[0]?.name, 'e'],
  ['empty-batch', (services) => services.refusals, [{ dialect: 'posthog', reason: 'unreadable' }]],
  [
    'mixed-tokens',
    (services) => services.refusals,
    [{ dialect: 'posthog', reason: 'mixed-keys', named: key, projectId: 1 }],
  ],
  ['gzip-bomb', (services) => services.refusals, [{ dialect: 'posthog', reason: 'too-large' }]],
  ['wide-props', (services) => Object.keys(services.stored[0]?.properties ?? {}), Object.keys(keys(1000))],
  ['quota', (services) => services.stored.length, 1],
])('C12, C13: %s is kept as it should be', async (id, look, wanted) => {
  expect(look((await send(id)).services)).toEqual(wanted)
})

test('C12: a bomb is given up at the limit: what comes behind it is never unpacked, and no memory is spent', async () => {
  const body = bomb()
  // the third member is no gzip behind its head, which the two before it, of 32 MB, keep from being seen
  const memberBytes = body.length / 64
  body.fill(0xff, 2 * memberBytes + 10, 3 * memberBytes)
  expect(() => gunzipSync(body)).toThrow('invalid block type')
  const services = await someWireServices()
  const memory = process.memoryUsage().rss
  const answer = await answerTo({ path: '/e', body }, services)
  expect(answer.status).toBe(413)
  expect(process.memoryUsage().rss - memory).toBeLessThan(150 * 1024 ** 2)
})

test.each([
  ['lists within lists', `[${'['.repeat(5_000_000)}`],
  ['more objects than a request has', `[[[[${'{},'.repeat(2_000_000)}{}]]]]`],
  ['lists behind a text full of quotes', `["${String.raw`\"`.repeat(100_000)}",${'['.repeat(5000)}`],
])('%s are refused before they fill the memory', async (_what, body) => {
  const services = await someWireServices()
  const memory = process.memoryUsage().rss
  expect((await answerTo({ path: '/e', body }, services)).status).toBe(400)
  expect(process.memoryUsage().rss - memory).toBeLessThan(150 * 1024 ** 2)
})

/** Counts the turns that other requests could take while this one was answered. */
async function turnsDuring<T>(work: Promise<T>): Promise<{ value: T; turns: number }> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const value = await work.finally(() => (isOver = true))
  return { value, turns }
}

const manyEvents = (count: number): string =>
  `{"api_key":"${key}","batch":[${'{"event":"e","distinct_id":"u"},'.repeat(count - 1)}{"event":"e","distinct_id":"u"}]}`

test.each<[string, string | Uint8Array]>([
  ['55 kB of gzip', gzipSync(manyEvents(360_000))],
  ['12 MB of JSON', manyEvents(360_000)],
  ['gzip as a form of base64', encodeBody(JSON.parse(manyEvents(20_001)), ['base64'])],
  ['less than is parsed in slices', `[${'1,'.repeat(20_000)}1]`],
])('a request of too many events is refused before any is prepared: %s', async (_what, body) => {
  const services = await someWireServices()
  const answer = await answerTo({ path: '/batch', body }, services)
  expect(answer.status).toBe(413)
  expect(services.accepted).toEqual([])
  expect(services.refusals).toEqual([{ dialect: 'posthog', reason: 'too-large' }])
})

test('a large batch is parsed while other requests are answered', async () => {
  const services = await someWireServices()
  const batch = Array.from({ length: 1500 }, (_, n) => ({
    event: 'e',
    distinct_id: `u${n}`,
    properties: keys(200),
  }))
  const body = encodeBody({ api_key: key, batch })
  const { value: answer, turns } = await turnsDuring(answerTo({ path: '/batch', body }, services))
  expect(answer.status).toBe(200)
  expect(services.events()).toHaveLength(1500)
  expect(turns).toBeGreaterThan(3)
})

test('a key in the address that no project has is refused before the body is uncompressed', async () => {
  const services = await someWireServices()
  const answer = await answerTo({ path: '/batch', query: { token: 'phc_nobody' }, body: bomb() }, services)
  expect(answer.status).toBe(401)
  expect(services.refusals).toEqual([{ dialect: 'posthog', reason: 'unknown-key', named: 'phc_nobody' }])
})

test('what nests deep within one event is cut there, not refused', async () => {
  const services = await someWireServices()
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  const body = `{"token":"${key}","event":"e","distinct_id":"u1","properties":{"a":${deep}}}`
  expect((await answerTo({ path: '/e', body }, services)).status).toBe(200)
  expect(services.stored[0]?.properties['a']?.length).toBeLessThan(100)
})

test('a batch of usual events is not taken for a hostile one, however large', async () => {
  const services = await someWireServices()
  const batch = Array.from({ length: 20_000 }, (_, i) => ({
    event: 'e',
    distinct_id: `u${i}`,
    properties: keys(20),
  }))
  const answer = await answerTo(
    { path: '/batch', body: encodeBody({ api_key: key, batch }, ['gzip']) },
    services,
  )
  expect(answer.status).toBe(200)
  expect(services.stored).toHaveLength(20_000)
})

const known = new Set([200, 400, 401, 413, 415])

const anyEvent = fc.record(
  {
    event: fc.anything(),
    uuid: fc.anything(),
    distinct_id: fc.anything(),
    timestamp: fc.oneof(fc.anything(), fc.string(), fc.double()),
    offset: fc.anything(),
    properties: fc.oneof(
      fc.anything(),
      fc.dictionary(
        fc.constantFrom(
          '$set',
          '$set_once',
          '$unset',
          '$groups',
          '$group_type',
          'alias',
          'token',
          '__proto__',
          'a',
        ),
        fc.anything(),
      ),
    ),
    $set: fc.anything(),
    $add: fc.anything(),
  },
  { requiredKeys: [] },
)

test('whatever is sent, the answer is one of the known ones, and nothing is thrown', async () => {
  const services = await someWireServices()
  const paths = fc.constantFrom(
    '/e',
    '/batch/',
    '/s',
    '/engage',
    '/i/v1/analytics/events',
    '/flags',
    '/decide',
  )
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string().map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => encodeBody(JSON.parse(text), ['base64'])),
    fc.uint8Array().map((bytes) => Buffer.concat([Buffer.from([0x1f, 0x8b]), bytes])),
    fc.array(anyEvent, { maxLength: 4 }).map((batch) => encodeBody({ api_key: key, batch }, ['gzip'])),
    anyEvent.map((event) => encodeBody({ ...event, api_key: key })),
  )
  await fc.assert(
    fc.asyncProperty(paths, body, async (path, bytes) => {
      const { status } = await answerTo({ path, body: bytes }, services)
      return known.has(status)
    }),
    { numRuns: runs(1500) },
  )
})
