import { beforeEach, describe, expect, test } from 'vitest'
import { eventNumber, eventNumbers, noon, uuidNumber } from '#test/deep/crashlab/events'
import { anEngine } from '#test/product/test-engine'
import { sql, uint, uuid } from '#engine/sql'
import type { EventColumns, PreparedEvent } from '#events/event'
import { keyOf, findStoredByDate, findReceivedRecently } from './duplicates'
import { RetryLoop } from './retry-loop'
import type { RejectedRow } from './quarantine'
import { RowStorer, rowToStore } from './store-rows'
import { waitForInFlightInserts } from './in-flight-inserts'
import { RecentEventFilter } from '../recent-event-filter'
import { newUuid } from '../uuid'

const tested = anEngine()

const person = '0f8fad5b-d9cb-469f-a165-70867728950e'
let project = 0
beforeEach(() => {
  project += 1
})

/** Stores as the batches do, in a project of the test's own. */
async function store(events: readonly PreparedEvent[]) {
  const quarantined: RejectedRow[] = []
  const keep = async (poison: readonly RejectedRow[]) => void quarantined.push(...poison)
  const storing = new RowStorer(tested.engine(), { keep }, new RetryLoop(), () => {})
  const ours = events.map((event) => ({ ...event, projectId: project }))
  const complete = ours.map((event) => rowToStore(event, person))
  await storing.store(await storing.prepare(complete))
  return { quarantined }
}

async function rows(): Promise<Record<string, unknown>[]> {
  return await tested
    .engine()
    .query(sql`select * from events where project_id = ${uint(project)} order by timestamp`, {
      lane: 'ingest',
    })
}

const everyColumn: EventColumns = {
  traffic: 'human',
  host: 'acme.example',
  path: '/a/ü/😀?x=1',
  title: 'A "title"\\ with\nlines',
  referrer: 'https://search.example/',
  referrer_host: 'search.example',
  source: 'search.example',
  channel: 'Organic Search',
  utm_source: 's',
  utm_medium: 'm',
  utm_campaign: 'c',
  utm_content: 'co',
  utm_term: 't',
  click_id: 'gclid',
  country: 'DE',
  region: 'Berlin',
  city: 'Berlin',
  browser: 'Firefox',
  browser_version: '146',
  os: 'Linux',
  os_version: '6',
  device: 'Desktop',
  screen: '1920x1080',
  language: 'de-DE',
  lib: 'web',
  lib_version: '1.2.3',
  revenue: 12.34,
  currency: 'EUR',
  engaged_ms: 1234,
  scroll_depth: 56,
  elements: 'button:text="Buy";',
  string_keys: '["zip"]',
}

describe('a row', () => {
  test('has a column for everything an event says, and keeps it', async () => {
    const event = eventNumber(1, {
      name: 'signed up 😀',
      at: new Date('2026-11-20T12:34:56.789Z'),
      receivedAt: new Date('2026-11-20T12:34:57.123Z'),
      distinctId: 'ana@acme.example',
      sessionId: '01a1fc88-2d2a-700f-b7c1-203a7a4d0950',
      hasPerson: true,
      isCookieless: true,
      groups: { company: 'acme' },
      columns: everyColumn,
      properties: JSON.parse(
        '{"a":"1.50","nested":"{\\"b\\":[1]}","__proto__":"own","":"empty name","nothing":"","$prev_pageview_pathname":"/read"}',
      ),
    })
    expect((await store([event])).quarantined).toEqual([])

    expect(await rows()).toEqual([
      {
        project_id: project,
        uuid: event.uuid,
        event: 'signed up 😀',
        timestamp: '2026-11-20T12:34:56.789Z',
        received_at: '2026-11-20T12:34:57Z',
        distinct_id: 'ana@acme.example',
        person_id: person,
        session_id: '01a1fc88-2d2a-700f-b7c1-203a7a4d0950',
        has_person: true,
        is_cookieless: true,
        ...everyColumn,
        groups: { company: 'acme' },
        properties: event.properties,
        // these the engine finds out by itself
        empty_keys: ['nothing'],
        read_path: '/read',
      },
    ])
  })

  test('of an event that says nothing is taken as well', async () => {
    await store([eventNumber(1, { columns: {}, properties: {}, sessionId: '' })])
    expect(await rows()).toMatchObject([
      { session_id: '00000000-0000-0000-0000-000000000000', path: '', revenue: 0 },
    ])
  })

  test.each([
    // the values that a script sent, and those that are kept
    [
      { engaged_ms: 12.7, scroll_depth: 45.2 },
      { engaged_ms: 13, scroll_depth: 45 },
    ],
    [
      { engaged_ms: -5, scroll_depth: 400 },
      { engaged_ms: 0, scroll_depth: 100 },
    ],
    [
      { engaged_ms: 1e300, scroll_depth: Number.NaN },
      { engaged_ms: 4_294_967_295, scroll_depth: 0 },
    ],
    [{ revenue: Number.POSITIVE_INFINITY }, { revenue: 0 }],
    [{ revenue: -1e15 }, { revenue: -1e15 }],
    [{ title: 'a\u0000b' }, { title: 'a\u0000b' }],
  ])('with %j keeps %j', async (sent, kept) => {
    const { quarantined } = await store([eventNumber(1, { columns: sent })])
    expect(quarantined).toEqual([])
    expect(await rows()).toMatchObject([kept])
  })
})

describe('C20: a row ClickHouse will not take', () => {
  test.each<[string, Partial<PreparedEvent>]>([
    ['a uuid that is none', { uuid: 'nonsense' }],
    ['a session that is none', { sessionId: 'nonsense' }],
    // events that no dialect makes, but a bug might
    ['properties that are a list', { properties: JSON.parse('[1]') }],
    ['properties that are a text', { properties: JSON.parse('"x"') }],
    ['a column nobody knows', { columns: JSON.parse('{"nobody_knows":"me"}') }],
    ['a text where a number belongs', { columns: JSON.parse('{"revenue":"much"}') }],
  ])('for %s is found among its batch and put aside, and the others are stored', async (_, poison) => {
    const events = eventNumbers(0, 200)
    events[123] = eventNumber(123, poison)

    const { quarantined } = await store(events)

    expect(quarantined).toHaveLength(1)
    expect(quarantined[0]?.row).toContain('.123Z')
    expect(quarantined[0]?.reason).not.toBe('')
    expect(await rows()).toHaveLength(199)
  })
})

describe('what the engine knows already', () => {
  const known = async (events: readonly PreparedEvent[]) =>
    [
      ...(await findStoredByDate(
        tested.engine(),
        events.map((event) => ({ ...event, projectId: project })),
      )),
    ].toSorted()
  const keys = (events: readonly PreparedEvent[]) =>
    events.map((event) => keyOf({ ...event, projectId: project })).toSorted()

  test('is found among thousands, on whatever day it was', async () => {
    const history = eventNumbers(0, 60).map((event, n) => ({
      ...event,
      at: new Date(noon - n * 40 * 86_400_000),
    }))
    await store(history)
    expect(await known([...eventNumbers(1000, 5000), ...history])).toEqual(keys(history))
  })

  test('is found a little before and after its time, also around midnight, and not on another day', async () => {
    const midnight = Date.parse('2026-11-20T00:00:00Z')
    await store([eventNumber(1, { at: new Date(midnight - 1000) })])
    const at = (offset: number) => known([eventNumber(1, { at: new Date(midnight + offset) })])

    expect(await at(60_000)).toEqual(keys([eventNumber(1)]))
    expect(await at(-600_000)).toEqual(keys([eventNumber(1)]))
    expect(await at(3 * 86_400_000)).toEqual([])
  })

  test('is not what another project has', async () => {
    await store([eventNumber(1)])
    project += 1
    expect(await known([eventNumber(1)])).toEqual([])
  })

  test('is nothing where there is nothing to ask', async () => {
    expect(await known([])).toEqual([])
    expect(await known([eventNumber(1, { uuid: 'nonsense' })])).toEqual([])
  })
})

test('an abandoned insert is waited for before anything is looked up', async () => {
  const slow = tested.engine().command(sql`
    insert into events (project_id, uuid, event, timestamp)
    select ${uint(project)}, ${uuid(uuidNumber(1))}, 'slow', now() from numbers(1) where sleep(3) = 0`)
  await expect.poll(runningInserts).toBe(1)

  await waitForInFlightInserts(tested.engine())

  expect(await rows()).toHaveLength(1)
  await slow
})

async function runningInserts(): Promise<number> {
  const found = await tested
    .engine()
    .query(sql`select query_id from system.processes where query_kind = 'Insert'`, { lane: 'ingest' })
  return found.length
}

describe('a uuid that was received with another date', () => {
  const dayMs = 86_400_000
  const started = new Date(Date.now() + 365 * dayMs)
  const receivedDaysAgo = (n: number, days: number, at = new Date(noon)): PreparedEvent =>
    eventNumber(n, { at, receivedAt: new Date(started.getTime() - days * dayMs) })

  test('is found for 30 days', async () => {
    const [lately, longAgo] = [receivedDaysAgo(1, 29), receivedDaysAgo(2, 33)]
    await store([lately, longAgo])
    const asked = [...eventNumbers(1000, 2000), lately, longAgo].map((event) => ({
      ...event,
      projectId: project,
      at: started,
    }))
    const found = await findReceivedRecently(tested.engine(), asked, started)
    expect([...found]).toEqual([keyOf({ ...lately, projectId: project })])
  })

  test('is found in two days where a version 7 uuid says that it is young', async () => {
    const ours = newUuid({ now: () => started, random: (bytes) => Buffer.alloc(bytes, project) })
    const event = { ...receivedDaysAgo(1, 1), uuid: ours, projectId: project }
    await store([event])
    const found = await findReceivedRecently(tested.engine(), [{ ...event, at: started }], started)
    expect([...found]).toEqual([keyOf(event)])
  })

  test('is in the filter after a start', async () => {
    const days = [0.01, 1, 10, 29.9]
    const events = days.map((before, n) => receivedDaysAgo(n, before))
    await store([...events, receivedDaysAgo(9, 31)])
    const filter = new RecentEventFilter(tested.engine(), { readingMs: 60_000 })
    await filter.readHistory(started)

    expect(events.map((event) => filter.mayContain(event.uuid))).toEqual([true, true, true, true])
    expect(filter.mayContain(uuidNumber(9))).toBe(false)
    expect(filter.mayContain(uuidNumber(10))).toBe(false)
    expect(filter.covers(eventNumber(10), started)).toBe(true)
  })
})
