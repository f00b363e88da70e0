import { expect, test } from 'vitest'
import { anIngestContext, anEnvelope, anEvent, aSetWorld, chrome, noon } from '#test/product/ingest-fixture'
import { visitorPropertiesOf, cookielessVisitorId } from './request-visitor'
import { prepare } from './prepare'

const address = '198.51.100.23'
const envelope = anEnvelope({ address, userAgent: chrome })

test('a visitor without an id has the same id for flags and events, that day and on that site', async () => {
  const world = aSetWorld(noon)
  const context = await anIngestContext(world)
  const visitor = { envelope, properties: {}, host: 'example.com' }
  const idOfEvent = () => {
    const prepared = prepare(anEvent({ distinctId: undefined }), envelope, context)
    return prepared.kept ? prepared.event.distinctId : prepared.reason
  }
  const today = cookielessVisitorId(visitor, context)
  expect(today).toBe(idOfEvent())
  expect(cookielessVisitorId({ ...visitor, host: 'shop.example.com' }, context)).toBe(today)
  expect(cookielessVisitorId({ ...visitor, host: 'other.example' }, context)).not.toBe(today)
  expect(
    cookielessVisitorId({ ...visitor, envelope: { ...envelope, userAgent: 'other' } }, context),
  ).not.toBe(today)

  world.set('2026-03-04T12:00:00.000Z')
  expect(cookielessVisitorId(visitor, context)).not.toBe(today)
  expect(cookielessVisitorId(visitor, context)).toBe(idOfEvent())
})

test.each([
  // the client, its claims, and the properties that count
  ['a browser', {}, {}, { $geoip_country_code: 'DE', $geoip_city_name: 'Berlin', $browser: 'Chrome' }],
  [
    'a browser that is not to be placed',
    {},
    { $geoip_disable: true },
    { $browser: 'Chrome', $os: 'Windows' },
  ],
  ['a server', { fromServer: true, userAgent: 'posthog-node/5' }, {}, {}],
  [
    'a server that speaks of a visitor',
    { fromServer: true, userAgent: 'posthog-node/5' },
    { $ip: address, $raw_user_agent: chrome },
    { $geoip_country_code: 'DE', $browser: 'Chrome', $device_type: 'Desktop' },
  ],
])('what the request of %s tells', async (_who, came, properties, told) => {
  const visitor = { envelope: { ...envelope, ...came }, properties, host: '' }
  const circumstances = visitorPropertiesOf(visitor, await anIngestContext())
  expect(circumstances).toMatchObject(told)
  // no property of a server is the visitor's, and a visitor without a place is nowhere
  expect('$geoip_country_code' in circumstances).toBe('$geoip_country_code' in told)
  expect('$browser' in circumstances).toBe('$browser' in told)
})
