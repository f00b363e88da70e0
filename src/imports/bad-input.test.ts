import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { aFolder } from '#test/product/fixture'
import { aZip } from '#test/outside/zip'
import { defaultIngestSettings } from '#ingest/settings'
import { previewImport } from './import-preview'
import { posthog } from './sources/posthog/posthog'

/** Returns the preview's findings about a file, which are those of an import. */
async function outcomeOf(content: string | Uint8Array) {
  const path = join(aFolder(), 'export')
  writeFileSync(path, content)
  const settings = {
    source: posthog,
    sourceName: 'posthog',
    intake: defaultIngestSettings,
    now: new Date('2026-03-01T00:00:00Z'),
  }
  const preview = await previewImport([path], settings)
  const { rows, events, repeated, dropped, problem, firstAt, lastAt } = preview
  // every row is accounted for
  expect(rows).toBe(events + repeated + Object.values(dropped).reduce((sum, amount) => sum + amount, 0))
  return { events, repeated, dropped, problem, firstAt, lastAt }
}

const row = (more: object = {}): string =>
  JSON.stringify({ event: 'view', distinct_id: 'ana', timestamp: '2024-03-01T10:00:00Z', ...more })

const many = Array.from({ length: 2000 }, (_, n) => row({ uuid: undefined, properties: { n } })).join('\n')

test.each([
  // the damage                       the content                                   the rows left out
  ['its last line is cut', `${row()}\n{"event":"vi`, { 'not JSON, perhaps cut': 1 }],
  [
    'it has rows of another product',
    `${row()}\n{"url_path":"/a","website_id":"x"}`,
    { 'not a row of this export': 1 },
  ],
  ['it becomes CSV half-way', `${row()}\nuuid,event\n1,view\n`, { 'not JSON, perhaps cut': 2 }],
  ['it holds numbers and lists', `${row()}\n3\n[]\n"x"`, { 'not an object': 3 }],
  ['a row has no name', `${row()}\n${row({ event: '' })}`, { 'not a row of this export': 1 }],
  [
    'properties are not JSON',
    `${row()}\n${row({ properties: '{"a":' })}`,
    { 'with properties that are not JSON': 1 },
  ],
])('%s: the other rows are read', async (_, content, dropped) => {
  const outcome = await outcomeOf(content)
  expect(outcome).toMatchObject({ events: 1, problem: undefined })
  expect(outcome.dropped).toEqual(dropped)
})

test.each([
  ['2024-03-01 10:00:00', '2024-03-01T10:00:00.000Z'],
  ['2024-03-01T10:00:00+05:30', '2024-03-01T04:30:00.000Z'],
  ['2024-03-01 10:00:00-08', '2024-03-01T18:00:00.000Z'],
  ['1709287200', '2024-03-01T10:00:00.000Z'],
  ['1709287200000', '2024-03-01T10:00:00.000Z'],
])('%s is a time in its zone, or in UTC', async (timestamp, at) => {
  expect(await outcomeOf(row({ timestamp }))).toMatchObject({ events: 1, firstAt: at, lastAt: at })
})

test.each([
  ['2024-03-01T10:00:00 Europe/Berlin', 'without a time'],
  ['2024-03-01 10:00:00 PST', 'without a time'],
  ['2024-03-01T10:00:00+99:00', 'without a time'],
  ['2024-13-41T10:00:00Z', 'without a time'],
  ['yesterday', 'without a time'],
  ['0001-01-01T00:00:00Z', 'dated before the year 2000'],
  ['2624-03-01T10:00:00Z', 'dated in the future'],
])('%s is no time that is guessed at', async (timestamp, reason) => {
  const content = `${row()}\n${row({ timestamp })}`
  expect(await outcomeOf(content)).toMatchObject({ events: 1, dropped: { [reason]: 1 } })
})

test.each([
  ['gzip that is cut', gzipSync(many).subarray(0, -100), 'is cut or damaged'],
  ['gzip with other bytes in it', damaged(gzipSync(many)), 'is cut or damaged'],
  ['a zip archive that is cut', aZip({ 'a.jsonl': many }).subarray(0, -30), 'is cut or damaged'],
  ['a zip archive with other bytes in it', damaged(aZip({ 'a.jsonl': many })), 'is cut or damaged'],
  [
    'gzip in gzip in gzip in gzip in gzip',
    [1, 2, 3, 4, 5].reduce((bytes) => gzipSync(bytes), Buffer.from(many)),
    'is packed',
  ],
])('%s is said to be so', async (_, content, problem) => {
  expect((await outcomeOf(content)).problem).toContain(problem)
})

/** Damages a file in the middle, where the content is. */
function damaged(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  const middle = Math.floor(changed.length / 2)
  changed.fill(0x55, middle, middle + 40)
  return changed
}

test('an archive whose files are each small enough, but not together, is stopped', async () => {
  const large = Buffer.alloc(150 * 1024 ** 2, '{ ')
  const { problem } = await outcomeOf(aZip({ 'a.jsonl': large, 'b.jsonl': large }))
  expect(problem).toMatch(/unpacks to more than 200 times its size/)
})

test('rows with the same id are counted once, and their copies apart', async () => {
  const uuid = '018f8e2b-0000-7000-8000-0000000000ab'
  const copy = row({ uuid: uuid.toUpperCase(), event: 'other' })
  expect(await outcomeOf(`${row({ uuid })}\n${copy}\n${row()}`)).toMatchObject({ events: 2, repeated: 1 })
})

test('events that an import would drop are not counted', async () => {
  const content = [row(), row({ event: '$snapshot' }), row({ event: '$$heatmap' })].join('\n')
  expect(await outcomeOf(content)).toMatchObject({
    events: 1,
    dropped: {
      'session recordings are not supported': 1,
      'logs, metrics, traces and heatmaps are not supported': 1,
    },
  })
})
