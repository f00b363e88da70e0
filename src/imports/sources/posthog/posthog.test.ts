import { expect, test } from 'vitest'
import type { Properties } from '#events/event'
import { posthog } from './posthog'

const event: Properties = {
  uuid: '018F8E2B-0000-7000-8000-0000000000AB',
  event: '$pageview',
  distinct_id: 'ana',
  person_id: '018f8e2b-0000-0000-8000-000000000001',
  timestamp: '2024-08-17 05:19:58.284000+02:00',
  created_at: '2024-08-17 05:20:00Z',
  team_id: 1,
  properties: '{"$current_url":"https://acme.example/a","$ip":"203.0.113.7","$geoip_country_code":"DE"}',
  person_properties: '{"plan":"pro"}',
  elements_chain: '',
}

const eventOf = (row: Properties) => {
  const outcome = posthog.eventOf(row, () => [])
  if ('event' in outcome) return outcome.event
  return 'reason' in outcome ? outcome.reason : outcome
}

test('a row of the batch export becomes its event, in UTC, with the place that PostHog knew', () => {
  expect(eventOf(event)).toEqual({
    uuid: '018f8e2b-0000-7000-8000-0000000000ab',
    name: '$pageview',
    distinctId: 'ana',
    at: '2024-08-17T03:19:58.284Z',
    hasPerson: true,
    properties: { $current_url: 'https://acme.example/a', $geoip_country_code: 'DE' },
    groups: {},
  })
})

test('a row of an SQL query without an id has one of its content, always the same', () => {
  const { uuid: _, ...without } = event
  const row = { ...without, $session_id: '018f8e2b-0000-7000-8000-000000000002', elements_chain: 'a:nth="1"' }
  const [one, again] = [eventOf(row), eventOf({ ...row })]
  expect(one).toEqual(again)
  expect(one).toMatchObject({
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    properties: { $session_id: row.$session_id, $elements_chain: 'a:nth="1"' },
  })
  expect(eventOf({ ...row, distinct_id: 'ben' })).not.toMatchObject({ uuid: (one as { uuid: string }).uuid })
})

test.each([
  ['$identify', { $anon_distinct_id: 'anonymous' }, { kind: 'identify', anonymous: 'anonymous' }],
  ['$create_alias', { alias: 'also ana' }, { kind: 'alias', alias: 'also ana' }],
  ['$merge_dangerously', { alias: 'ben' }, { kind: 'merge', other: 'ben' }],
])('%s merges as it did', (name, properties, identity) => {
  expect(eventOf({ ...event, event: name, properties: JSON.stringify(properties) })).toMatchObject({
    identity,
  })
})

test('person properties within an event are set again', () => {
  const properties = { $set: { plan: 'pro' }, $set_once: { first: 1 }, $groups: { company: 'x' } }
  expect(eventOf({ ...event, properties })).toMatchObject({
    person: { set: { plan: 'pro' }, setOnce: { first: 1 }, unset: [], add: {} },
    groups: { company: 'x' },
  })
})

test('each distinct id of a person is merged with the others, and has the properties of the person', () => {
  const person = {
    team_id: 1,
    distinct_id: 'ana',
    person_id: '018f8e2b-0000-0000-8000-000000000001',
    properties: { plan: 'pro' },
    created_at: '2024-01-01T00:00:00Z',
  }
  const one = eventOf(person)
  expect(one).toMatchObject({
    name: '$set',
    distinctId: 'ana',
    at: '2024-01-01T00:00:00.000Z',
    person: { set: { plan: 'pro' } },
    identity: { kind: 'merge', other: person.person_id },
  })
  expect(eventOf({ ...person, distinct_id: 'ana@example.com' })).not.toMatchObject({
    uuid: (one as { uuid: string }).uuid,
  })
})

test.each<[string, Properties]>([
  ['without a time', { ...event, timestamp: 'soon' }],
  ['without a visitor', { ...event, distinct_id: '' }],
  ['with properties that are not JSON', { ...event, properties: '{"a":' }],
  ['not a row of this export', { date: '2024-01-01', visitors: '3' }],
])('a row %s is left out', (reason, row) => expect(eventOf(row)).toBe(reason))

test('a row of an export of Tilth is none of PostHog’s', () => {
  expect(eventOf({ ...event, traffic: 'human', is_cookieless: false, revenue: 34.5 })).toBe(
    'not a row of this export',
  )
})
