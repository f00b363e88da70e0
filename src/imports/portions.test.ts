import { expect, test } from 'vitest'
import type { FileRow } from './files/read-rows'
import { mostNames, portionsOf, type Portion, type PortionSettings } from './portions'
import { posthog } from './sources/posthog/posthog'

const rowOf = (n: number, more: object = {}): FileRow => ({
  file: 'events.jsonl',
  row: { event: 'view', distinct_id: `v${n}`, timestamp: '2024-03-01T10:00:00Z', properties: {}, ...more },
})

async function* each(rows: Iterable<FileRow>) {
  yield* rows
}

async function portions(rows: Iterable<FileRow>, more: Partial<PortionSettings> = {}): Promise<Portion[]> {
  const all: Portion[] = []
  const settings = { source: posthog, now: new Date('2024-06-01T00:00:00Z'), ...more }
  for await (const portion of portionsOf({ rows: each(rows) }, settings)) all.push(portion)
  return all
}

const ten = Array.from({ length: 10 }, (_, n) => rowOf(n))

test('rows are sent in portions; those that were sent are skipped, and the others are the same as before', async () => {
  const whole = await portions(ten, { mostEvents: 4 })
  expect(whole.map(({ rows, events }) => [rows, events.length])).toEqual([
    [4, 4],
    [4, 4],
    [2, 2],
  ])
  expect(await portions(ten, { mostEvents: 4, skip: 4 })).toEqual(whole.slice(1))
})

test('a portion ends before it is too large to send', async () => {
  const large = Array.from({ length: 4 }, (_, n) => rowOf(n, { properties: { text: 'x'.repeat(400) } }))
  expect((await portions(large, { mostBytes: 1000 })).map(({ rows }) => rows)).toEqual([2, 2])
})

test('every row that is left out has its reason', async () => {
  const rows = [
    rowOf(1),
    rowOf(2, { timestamp: '2024-07-01' }),
    rowOf(3, { timestamp: '1970-01-01' }),
    rowOf(4, { timestamp: '2024-05-01T00:00:00Z' }),
    rowOf(5, { properties: { text: 'x'.repeat(2_000_000) } }),
    { problem: 'not JSON, perhaps cut', file: 'events.jsonl' },
  ]
  expect(await portions(rows, { until: new Date('2024-05-01T00:00:00Z') })).toMatchObject([
    {
      rows: 6,
      events: [{ distinctId: 'v1' }],
      dropped: {
        'at the cut-over or later': 2,
        'dated before the year 2000': 1,
        'larger than 1 MB': 1,
        'not JSON, perhaps cut': 1,
      },
    },
  ])
  expect(await portions([rowOf(2, { timestamp: '2024-07-01' })])).toMatchObject([
    { dropped: { 'dated in the future': 1 } },
  ])
})

test('a million names of events do not get in', async () => {
  const rows = Array.from({ length: mostNames + 5 }, (_, n) => rowOf(n, { event: `view of ${n}` }))
  const all = await portions([...rows, rowOf(0, { event: 'view of 0' })])
  const kept = all.reduce((sum, { events }) => sum + events.length, 0)
  expect(kept).toBe(mostNames + 1)
  expect(all.at(-1)?.dropped).toEqual({ 'beyond the first 10,000 names of events': 5 })

  const names = new Set<string>()
  await portions(rows, { names })
  expect(await portions([rowOf(0, { event: 'of the next week' })], { names })).toMatchObject([{ events: [] }])
})
