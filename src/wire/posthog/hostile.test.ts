import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { atTheDoor } from '../../../test/wire/at-the-door'
import {
  aDesk,
  answerTo,
  type DeskDouble,
  key,
  packed,
  recordedAt,
  type Sent,
} from '../../../test/wire/posthog-house'

const vectors = z.object({
  cases: z.array(z.object({ id: z.string(), body: z.json(), expect_status: z.number().nullable() })),
})
const { cases } = vectors.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/vectors/ingest-hostile.json'), 'utf8')),
)

/** What the door answers before a dialect is asked; each is tried there against a Tilth that runs. */
const elsewhere = Object.keys(atTheDoor)

/** How the builders of the vectors are meant. */
const one = { token: key, event: 'e', distinct_id: 'u1' }
const built: Record<string, () => Partial<Sent>> = {
  'long-distinct-id': () => ({ body: JSON.stringify({ ...one, distinct_id: 'a'.repeat(1000) }) }),
  'long-event-name': () => ({ body: JSON.stringify({ ...one, event: 'x'.repeat(5000) }) }),
  'wide-props': () => ({ body: JSON.stringify({ ...one, properties: keys(100_000) }) }),
  quota: () => ({ body: JSON.stringify(one) }),
  'proto-query-key': () => ({
    method: 'GET',
    query: { '__proto__[x]': '1', data: Buffer.from(JSON.stringify(one)).toString('base64') },
  }),
  'gzip-bomb': () => ({ body: bomb() }),
  'gzip-of-gzip': () => ({ body: gzipSync(packed(one, ['gzip'])) }),
  'zstd-br-unknown': () => ({ body: JSON.stringify(one), headers: { 'content-encoding': 'zstd' } }),
  'base64-form': () => ({ body: packed(one, ['base64']) }),
}

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))

/** A gigabyte of zeros: many members of gzip, one behind the other, are one body. */
function bomb(): Buffer {
  const member = gzipSync(Buffer.alloc(16 * 1024 ** 2), { level: 9 })
  return Buffer.concat(Array.from({ length: 64 }, () => member))
}

function requestOf(id: string, body: z.core.util.JSONType): Partial<Sent> {
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
  const desk = await aDesk({ monthlyEvents: id === 'quota' ? 1 : undefined })
  if (id === 'quota') await answerTo({ path: '/i/v0/e/', ...requestOf(id, found.body) }, desk)
  const answer = await answerTo({ path: '/i/v0/e/', ...requestOf(id, found.body) }, desk)
  return { desk, answer }
}

const here = cases.filter(({ id }) => !elsewhere.includes(id))

test.each(here.map(({ id, expect_status }) => [id, expect_status] as const))(
  'C12, C13: %s is answered %i',
  async (id, status) => {
    const { answer, desk } = await send(id)
    expect(answer.status).toBe(status)
    if (status !== 200) expect(desk.stored).toEqual([])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  },
)

test('C12: every hostile case is tried, here or at the door', () => {
  const ids = cases.map(({ id }) => id)
  expect(ids).toHaveLength(36)
  expect(new Set([...here.map(({ id }) => id), ...elsewhere])).toEqual(new Set(ids))
  // a name nobody knows would be a case that is never tried
  for (const id of [...elsewhere, ...Object.keys(built)]) expect(ids).toContain(id)
})

test.each<[string, (desk: DeskDouble) => unknown, unknown]>([
  ['numeric-distinct-id', (desk) => desk.stored[0]?.distinctId, '12345'],
  ['long-distinct-id', (desk) => desk.stored[0]?.distinctId, 'a'.repeat(200)],
  ['long-event-name', (desk) => desk.stored[0]?.name, 'x'.repeat(200)],
  ['nul-in-event', (desk) => desk.stored[0]?.name, 'a\uFFFDb'],
  ['lone-surrogate', (desk) => desk.stored[0]?.name, 'x\uFFFDy'],
  ['emoji', (desk) => desk.stored[0]?.properties['🔑'], '👨‍👩‍👧'],
  ['html-in-everything', (desk) => desk.stored[0]?.name, '<img src=x onerror=alert(1)>'],
  ['ts-future', (desk) => desk.stored[0]?.at, new Date(recordedAt)],
  ['ts-pre-epoch', (desk) => desk.stored[0]?.at, new Date(recordedAt)],
  [
    'ts-offsets',
    (desk) => desk.stored.map(({ at }) => at.toISOString()),
    [
      '2025-01-02T03:04:05.000Z',
      '2025-01-02T03:04:05.000Z',
      '2025-01-02T03:04:05.123Z',
      '2025-01-02T03:04:05.000Z',
    ],
  ],
  ['offset-field', (desk) => desk.stored[0]?.at, new Date(Date.parse(recordedAt) - 60_000)],
  ['uuid-nil', (desk) => new Set(desk.stored.map(({ uuid }) => uuid)).size, 2],
  ['uuid-dup-diff-content', (desk) => desk.stored.map(({ name }) => name), ['e', 'other']],
  [
    'identify-merge-loop',
    (desk) => desk.events().map(({ distinctId, identity }) => [distinctId, identity]),
    [
      ['a', { kind: 'identify', anonymous: 'b' }],
      ['b', { kind: 'identify', anonymous: 'a' }],
    ],
  ],
  ['proto-query-key', (desk) => desk.stored[0]?.name, 'e'],
  ['empty-batch', (desk) => desk.refusals, [{ dialect: 'posthog', reason: 'unreadable' }]],
  [
    'mixed-tokens',
    (desk) => desk.refusals,
    [{ dialect: 'posthog', reason: 'mixed-keys', named: key, projectId: 1 }],
  ],
  ['gzip-bomb', (desk) => desk.refusals, [{ dialect: 'posthog', reason: 'too-large' }]],
  ['wide-props', (desk) => Object.keys(desk.stored[0]?.properties ?? {}), Object.keys(keys(1000))],
  ['quota', (desk) => desk.stored.length, 1],
])('C12, C13: %s is kept as it should be', async (id, look, wanted) => {
  expect(look((await send(id)).desk)).toEqual(wanted)
})

test('C12: a bomb is given up at the limit: neither its memory nor its time is spent', async () => {
  const body = bomb()
  const desk = await aDesk()
  const [memory, began] = [process.memoryUsage().rss, performance.now()]
  const answer = await answerTo({ path: '/e', body }, desk)
  expect(answer.status).toBe(413)
  expect(performance.now() - began).toBeLessThan(1000)
  expect(process.memoryUsage().rss - memory).toBeLessThan(150 * 1024 ** 2)
})

test.each([
  ['lists within lists', `[${'['.repeat(5_000_000)}`],
  ['more objects than a request has', `[${'{},'.repeat(2_000_000)}{}]`],
  ['lists behind a text full of quotes', `["${String.raw`\"`.repeat(100_000)}",${'['.repeat(5000)}`],
])('%s are refused before they fill the memory', async (_what, body) => {
  const desk = await aDesk()
  const memory = process.memoryUsage().rss
  expect((await answerTo({ path: '/e', body }, desk)).status).toBe(400)
  expect(process.memoryUsage().rss - memory).toBeLessThan(150 * 1024 ** 2)
})

test('what nests deep within one event is cut there, not refused', async () => {
  const desk = await aDesk()
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  const body = `{"token":"${key}","event":"e","distinct_id":"u1","properties":{"a":${deep}}}`
  expect((await answerTo({ path: '/e', body }, desk)).status).toBe(200)
  expect(desk.stored[0]?.properties['a']?.length).toBeLessThan(100)
})

test('a batch of usual events is not taken for a hostile one, however large', async () => {
  const desk = await aDesk()
  const batch = Array.from({ length: 20_000 }, (_, i) => ({
    event: 'e',
    distinct_id: `u${i}`,
    properties: keys(20),
  }))
  const answer = await answerTo({ path: '/batch', body: packed({ api_key: key, batch }, ['gzip']) }, desk)
  expect(answer.status).toBe(200)
  expect(desk.stored).toHaveLength(20_000)
}, 60_000)

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
  const desk = await aDesk()
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
    fc.json().map((text) => packed(JSON.parse(text), ['base64'])),
    fc.uint8Array().map((bytes) => Buffer.concat([Buffer.from([0x1f, 0x8b]), bytes])),
    fc.array(anyEvent, { maxLength: 4 }).map((batch) => packed({ api_key: key, batch }, ['gzip'])),
    anyEvent.map((event) => packed({ ...event, api_key: key })),
  )
  await fc.assert(
    fc.asyncProperty(paths, body, async (path, bytes) => {
      const { status } = await answerTo({ path, body: bytes }, desk)
      return known.has(status)
    }),
    { numRuns: 1500 },
  )
}, 60_000)
