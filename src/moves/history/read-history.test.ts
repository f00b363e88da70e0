import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Properties } from '#events/event'
import { FakePosthog } from '#test/outside/fake-posthog'
import { weeksOf } from './internal/file-windows'
import { begins, type HistoryCursor, parseCursor, wayOf } from './history'
import { spansOf } from './internal/page-windows'
import { readHistory } from './read-history'

const uuid = (n: number): string => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Three in each of the first weeks; two have the same microsecond. */
const events = Array.from({ length: 9 }, (_, n) => ({
  uuid: uuid(n),
  event: 'order placed',
  distinct_id: `visitor ${n % 2}`,
  timestamp: `2024-01-${String(2 + 7 * Math.floor(n / 3)).padStart(2, '0')}T10:00:00.00000${n % 3 === 0 ? 0 : 1}Z`,
  properties: { n },
}))
const persons = ['visitor 0', 'visitor 1', 'visitor 2'].map((distinct_id) => ({
  distinct_id,
  person_id: 'p',
  properties: {},
  created_at: '2024-01-09T00:00:00Z',
}))

let posthog: FakePosthog
beforeAll(async () => {
  posthog = await FakePosthog.start({ events, persons })
})
afterAll(() => posthog.stop())
beforeEach(() => Object.assign(posthog, { mostRows: Infinity, hasFileExports: true }))

interface ReadRow {
  name: string
  cursor: HistoryCursor
}

const begunAt = new Date('2024-01-20T00:00:00Z')

async function read(cursor: HistoryCursor, { rowsAtOnce = 2, until = undefined as Date | undefined } = {}) {
  const request = { client: posthog.client(), pause: async () => {}, until, begunAt, rowsAtOnce }
  const rows: ReadRow[] = []
  for await (const window of readHistory(request, cursor)) {
    for await (const { one, cursor: at } of window.rows) {
      const row = 'row' in one ? one.row : {}
      rows.push({
        name: nameIn(row),
        cursor: parseCursor(JSON.stringify(at)) ?? at,
      })
    }
  }
  return rows
}

const nameIn = (row: Properties): string => {
  const name = row['uuid'] ?? row['distinct_id']
  return typeof name === 'string' ? name : ''
}

const namesOf = (rows: readonly ReadRow[]): string[] => rows.map(({ name }) => name)
const all = [...events.map((event) => event.uuid), ...persons.map((person) => person.distinct_id)]

test.each(['files', 'sql'] as const)(
  'by %s, events come in the order of weeks, and persons last',
  async (way) => {
    expect(namesOf(await read(begins(way, 'events')))).toEqual(all)
  },
)

test.each(['files', 'sql'] as const)('by %s, reading goes on behind any row', async (way) => {
  const rows = await read(begins(way, 'events'))
  for (const [index, { cursor }] of rows.entries())
    expect(namesOf(await read(cursor))).toEqual(all.slice(index + 1))
})

test('a week whose export PostHog has deleted is exported again, from its first row', async () => {
  const rows = await read(begins('files', 'events'))
  posthog.exports.clear()
  expect(namesOf(await read(rows[4]?.cursor ?? begins('files', 'events')))).toEqual(all.slice(3))
})

test('an export that fails is a sentence with the other way', async () => {
  const client = posthog.client()
  posthog.faults.push(
    { status: 200, body: { created_at: '2024-01-01' } },
    { status: 202, body: { id: 'x' } },
    { status: 200, body: { status: 'FailedBilling', error: 'Over the limit' } },
  )
  const request = { client, pause: async () => {}, until: undefined, begunAt }
  const readAll = async () => {
    for await (const { rows } of readHistory(request, begins('files', 'events')))
      for await (const row of rows) expect(row).toBeUndefined()
  }
  await expect(readAll()).rejects.toThrow(
    'PostHog’s export of a week ended as FailedBilling: Over the limit. --by sql does without',
  )
})

test('by SQL, fewer rows are asked for where an answer would be too large', async () => {
  posthog.mostRows = 1
  expect(namesOf(await read(begins('sql', 'events')))).toEqual(all)
})

test('by SQL, events at the cut-over are not asked for', async () => {
  const until = new Date('2024-01-09T10:00:00Z')
  expect(namesOf(await read(begins('sql', 'events'), { until }))).toEqual([
    ...all.slice(0, 3),
    ...all.slice(9),
  ])
})

test('a PostHog without file exports, or a key that may not export, is read by SQL', async () => {
  expect(await wayOf(posthog.client())).toBe('files')
  posthog.hasFileExports = false
  expect(await wayOf(posthog.client())).toBe('sql')
  posthog.faults.push({ status: 403, body: { detail: 'missing scope' } })
  expect(await wayOf(posthog.client())).toBe('sql')
  await expect(wayOf(posthog.client({ key: 'other' }))).rejects.toThrow('does not take the key')
})

test('weeks begin on the day of the project, and the last one ends with the import', () => {
  expect(weeksOf(new Date('2024-01-01T09:00:00Z'), new Date('2024-01-10T05:00:00Z'))).toEqual([
    { from: '2024-01-01T00:00:00.000Z', until: '2024-01-08T00:00:00.000Z' },
    { from: '2024-01-08T00:00:00.000Z', until: '2024-01-10T05:00:00.000Z' },
  ])
  expect(() => weeksOf(new Date('never'), begunAt)).toThrow('does not say when')
})

test('days are joined up to a week, as long as one answer holds their events', () => {
  const days = [
    { day: '2024-01-01', events: 2 },
    { day: '2024-01-05', events: 3 },
    { day: '2024-01-08', events: 1 },
    { day: '2024-01-09', events: 9 },
    { day: '2024-01-10', events: 1 },
  ]
  expect(spansOf(days, 5)).toEqual([
    { from: '2024-01-01', until: '2024-01-08' },
    { from: '2024-01-08', until: '2024-01-09' },
    { from: '2024-01-09', until: '2024-01-10' },
    { from: '2024-01-10', until: undefined },
  ])
})
