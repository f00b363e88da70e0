import { describe, expect, test } from 'vitest'
import type { Properties } from '#events/event'
import { readExport, storedEvent } from '#test/product/import-source-fixture'

const uuid = (n: number) => `018f8e2b-0000-7000-8000-${String(n).padStart(12, '0')}`
const person = '3a0c8f0e-0000-5000-8000-000000000001'

const event: Properties = {
  uuid: uuid(1),
  event: 'bought',
  timestamp: '2026-02-01T10:00:00.123Z',
  received_at: '2026-02-01T10:00:01Z',
  distinct_id: 'ana',
  person_id: person,
  session_id: uuid(2),
  has_person: true,
  is_cookieless: false,
  traffic: 'human',
  host: 'shop.example',
  path: '/a',
  source: 'Another name for Google',
  channel: 'A channel of our own',
  country: 'DE',
  browser: 'Chrome',
  revenue: 34.5,
  currency: 'EUR',
  engaged_ms: 1200,
  elements: '',
  groups: { company: 'x' },
  properties: {
    plan: 'pro',
    zip: '02139',
    $current_url: 'https://shop.example/a',
    $import: 'an earlier one',
  },
  string_keys: '["zip"]',
}

test('an event keeps its columns, session and properties as they are', async () => {
  const stored = await storedEvent('tilth', [event])
  expect(stored).toMatchObject({
    uuid: uuid(1),
    name: 'bought',
    at: new Date('2026-02-01T10:00:00.123Z'),
    distinctId: 'ana',
    sessionId: uuid(2),
    hasPerson: true,
    isCookieless: false,
    groups: { company: 'x' },
  })
  expect(stored.columns).toEqual({
    traffic: 'human',
    host: 'shop.example',
    path: '/a',
    source: 'Another name for Google',
    channel: 'A channel of our own',
    country: 'DE',
    browser: 'Chrome',
    revenue: 34.5,
    currency: 'EUR',
    engaged_ms: 1200,
    string_keys: '["zip"]',
  })
  expect(stored.properties).toEqual({
    plan: 'pro',
    zip: '02139',
    $current_url: 'https://shop.example/a',
    $import: 'an import',
  })
})

test('a row of CSV is the same event', async () => {
  const cells = Object.entries(event).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  const line = (index: number) => cells.map((cell) => `"${cell[index]?.replaceAll('"', '""')}"`).join(',')
  expect(await storedEvent('tilth', `${line(0)}\n${line(1)}\n`)).toEqual(await storedEvent('tilth', [event]))
})

test('a visitor without an id and without a session stays one', async () => {
  const row = { ...event, is_cookieless: true, has_person: false, session_id: '' }
  expect(await storedEvent('tilth', [row])).toMatchObject({
    distinctId: 'ana',
    sessionId: '',
    isCookieless: true,
    hasPerson: false,
  })
})

test('distinct ids with one number of a person are merged', async () => {
  const rows = ['ana', 'ana', 'ana-phone', 'ben'].map((id, i) => ({
    ...event,
    uuid: uuid(i + 1),
    distinct_id: id,
    person_id: id === 'ben' ? uuid(99) : person,
  }))
  const { events } = await readExport('tilth', rows)
  expect(events.map(({ identity }) => identity)).toEqual([
    undefined,
    undefined,
    { kind: 'merge', other: 'ana' },
    undefined,
  ])
})

describe('rows of other tables', () => {
  test('persons and groups are restored without an event', async () => {
    const created_at = '2026-01-01T00:00:00.000Z'
    const ana = {
      person_id: person,
      properties: { tier: 'pro', age: '41', odd: '{ "a": 1 }' },
      is_identified: true,
      created_at,
      distinct_ids: ['ana', 'ana-phone'],
    }
    const { events, profiles, dropped } = await readExport('tilth', [
      ana,
      { ...ana, distinct_ids: [] },
      { type: 'company', key: 'x', properties: { size: '3' }, created_at },
      { session_id: uuid(2), started_at: created_at },
    ])
    expect(events).toEqual([])
    const properties = { tier: 'pro', age: 41, odd: '{ "a": 1 }' }
    const known = { kind: 'person', isIdentified: true, createdAt: created_at, properties }
    expect(profiles).toEqual([
      { ...known, distinctIds: ['ana', 'ana-phone'] },
      { ...known, distinctIds: [person] },
      { kind: 'group', type: 'company', key: 'x', createdAt: created_at, properties: { size: 3 } },
    ])
    expect(dropped).toEqual({ 'of a session, which its events make': 1 })
  })
})

test.each<[string, object, string]>([
  ['no uuid', { uuid: 'x' }, 'not a row of this export'],
  ['no time', { timestamp: 'yesterday' }, 'without a time'],
  ['no name', { event: '' }, 'without the name of an event'],
  ['no visitor', { distinct_id: '' }, 'without a visitor'],
  ['a kind of traffic that is none', { traffic: 'alien' }, 'not a row of this export'],
  ['properties that are no object', { properties: '[1]' }, 'not a row of this export'],
  ['properties that are cut', { properties: '{"a":' }, 'not a row of this export'],
])('a row with %s is left out', async (_what, changes, reason) => {
  const { events, dropped } = await readExport('tilth', [event, { ...event, ...changes }])
  expect(events).toHaveLength(1)
  expect(dropped).toEqual({ [reason]: 1 })
})

test('a changed file brings no private property, no broken text and no list that a page would fail on', async () => {
  const stored = await storedEvent('tilth', [
    {
      ...event,
      title: 'a\u0000b\ud800',
      string_keys: '{"not":"a list"',
      properties: { $ip: '198.51.100.23', plan: 'a\u0000b', list: ['not', 'a text'] },
    },
  ])
  expect(stored.columns).toMatchObject({ title: 'a\uFFFDb\uFFFD' })
  expect(stored.columns.string_keys).toBeUndefined()
  expect(stored.properties).toEqual({ plan: 'a\uFFFDb', $import: 'an import' })
})
