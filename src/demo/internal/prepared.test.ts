import { beforeAll, describe, expect, test } from 'vitest'
import { demoEvents } from '#test/product/demo-events'
import { anIngestContext, anEnvelope, aSetWorld } from '#test/product/ingest-fixture'
import type { PreparedEvent } from '#events/event'
import { CityDatabase } from '#ingest/places'
import { prepare } from '#ingest/prepare'
import { channels } from '#ingest/steps/internal/channels'
import { incomingEvent } from '#wire/posthog/events'
import { countries } from './places'

const places = new CityDatabase((problem) => {
  throw problem
})

/** All events as they are kept, by the path that other events take, too. */
let kept: PreparedEvent[] = []

beforeAll(async () => {
  const context = { ...(await anIngestContext(aSetWorld('2026-03-14T12:00:00.000Z'))), places }
  const envelope = anEnvelope({
    receivedAt: context.world.now(),
    fromServer: true,
    isHistorical: true,
    address: '127.0.0.1',
    userAgent: 'tilth-demo',
  })
  const prepared = demoEvents({ events: 60_000 }).map((event) =>
    prepare(incomingEvent({ ...event }), envelope, context),
  )
  expect(prepared.filter((one) => !one.kept)).toEqual([])
  kept = prepared.flatMap((one) => (one.kept ? [one.event] : []))
})

const values = (of: (event: PreparedEvent) => string | number | undefined): Set<unknown> =>
  new Set(kept.map(of).filter((value) => value !== undefined))

test('every network is where it is said to be', () => {
  for (const { code, cities } of countries) {
    for (const network of cities.flatMap(({ networks }) => networks)) {
      for (const end of [1, 100, 254])
        expect(places.find(`${network}.${end}`)).toMatchObject({ country: code })
    }
  }
})

describe('what is kept of it', () => {
  test('comes by every channel there is', () => {
    expect(values(({ columns }) => columns.channel)).toEqual(new Set(channels))
  })

  test('is of every kind of traffic', () => {
    expect(values(({ columns }) => columns.traffic)).toEqual(new Set(['human', 'ai', 'bot', 'feed']))
  })

  test.each<[string, (event: PreparedEvent) => string | undefined, least: number]>([
    ['countries', ({ columns }) => columns.country, 20],
    ['cities', ({ columns }) => columns.city, 30],
    ['browsers', ({ columns }) => columns.browser, 8],
    ['systems', ({ columns }) => columns.os, 6],
    ['devices', ({ columns }) => columns.device, 3],
    ['languages', ({ columns }) => columns.language, 15],
    ['screens', ({ columns }) => columns.screen, 6],
    ['hosts', ({ columns }) => columns.host, 3],
    ['sources', ({ columns }) => columns.source, 20],
    ['campaigns', ({ columns }) => columns.utm_campaign, 6],
    ['kinds of clicks', ({ columns }) => columns.click_id, 4],
    ['companies', ({ groups }) => groups['company'], 50],
    ['plans', ({ person }) => (typeof person.set['plan'] === 'string' ? person.set['plan'] : undefined), 3],
  ])('has many %s', (_what, of, least) => expect(values(of).size).toBeGreaterThanOrEqual(least))

  test('says how long pages were looked at, and how far down', () => {
    const left = kept.filter(({ name }) => name === '$pageleave')
    expect(
      left.every(({ columns }) => (columns.engaged_ms ?? 0) > 0 && (columns.scroll_depth ?? 0) > 0),
    ).toBe(true)
  })

  test('knows who is who: some were someone else before', () => {
    expect(values(({ identity }) => identity?.kind)).toEqual(new Set(['identify', 'alias']))
  })

  test('keeps no address', () => {
    expect(kept.filter(({ properties }) => '$ip' in properties)).toEqual([])
  })
})
