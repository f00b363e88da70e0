import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { aFrontForEvents } from '#test/wire/front-for-events'
import { key } from '#test/wire/posthog-fixture'

/** Too many to be read at once, in the words of two vendors. */
const manyEvents = Array.from({ length: 1500 }, (_, n) => ({
  event: 'signup',
  event_type: 'signup',
  distinct_id: `visitor-${n}`,
  user_id: `visitor-${n}`,
  properties: { url: `https://acme.example/a/long/way/down/the/tree/${n}`, plan: 'pro' },
}))

/** It says nothing against its length, but cannot be unpacked to its end. */
function cutInTheMiddle(content: object): Buffer {
  const whole = gzipSync(JSON.stringify(content))
  return Buffer.concat([whole.subarray(0, whole.length / 2), whole.subarray(-4)])
}

const bearer = { authorization: 'Bearer phc_unknown' }
const basic = { authorization: `Basic ${Buffer.from('phc_unknown:').toString('base64')}` }

const withToken =
  (token: string) =>
  ({ event, distinct_id, properties }: (typeof manyEvents)[number]) => ({
    event,
    properties: { ...properties, distinct_id, token },
  })
const segmentEvents = manyEvents.map(({ event, user_id: userId }) => ({ type: 'track', event, userId }))

test.each<[string, string, object, Record<string, string>?]>([
  ['PostHog', '/batch/', { api_key: 'phc_unknown', batch: manyEvents }],
  ['PostHog', '/e/?token=phc_unknown', { batch: manyEvents }],
  ['PostHog', '/i/v1/analytics/events', { batch: manyEvents }, bearer],
  ['PostHog', '/i/v1/logs', { resourceLogs: manyEvents }, bearer],
  ['Amplitude', '/2/httpapi', { api_key: 'phc_unknown', events: manyEvents }],
  ['PostHog', '/e/', manyEvents.map((one) => ({ ...one, api_key: 'phc_unknown' }))],
  ['PostHog', '/track/', manyEvents.map((one) => ({ ...one, api_key: 'phc_unknown' }))],
  ['Segment', '/v1/batch', { batch: segmentEvents }, basic],
  ['Segment', '/v1/import', { batch: segmentEvents, writeKey: 'phc_unknown' }, basic],
  ['Segment', '/v1/b', { writeKey: 'phc_unknown', batch: segmentEvents }],
  ['Mixpanel', '/track?verbose=1', manyEvents.map(withToken('phc_unknown'))],
  ['Mixpanel', '/groups', manyEvents.map(withToken('phc_unknown'))],
  ['Mixpanel', '/import', manyEvents.map(withToken('phc_unknown'))],
  ['Mixpanel', '/import', manyEvents, basic],
  ['GA4', '/mp/collect?api_secret=phc_unknown', { client_id: 'ana', events: manyEvents }],
  ['GoatCounter', '/api/v0/count', { hits: manyEvents }, bearer],
])('an unknown key of %s (%s) is refused before the body is unpacked', async (_, path, content, headers) => {
  const { wire, sendPacked } = await aFrontForEvents()

  expect((await sendPacked(path, cutInTheMiddle(content), headers)).status).toBeOneOf([400, 401])
  expect(wire.refusals).toMatchObject([{ reason: 'unknown-key', named: 'phc_unknown' }])
})

/** The body is no JSON, which only parsing it tells. */
const unparsable = (content: object, at: 'the end' | 'the beginning') =>
  at === 'the end'
    ? `{"batch": [truth], ${JSON.stringify(content).slice(1)}`
    : JSON.stringify(content).replace(/\]\}$/, ',truth]}')

test.each<[string, string, string]>([
  ['PostHog', '/batch/', unparsable({ batch: manyEvents, api_key: 'phc_unknown' }, 'the end')],
  ['PostHog', '/e/', unparsable({ batch: manyEvents, token: 'phc_unknown' }, 'the end')],
  ['Amplitude', '/2/httpapi', unparsable({ events: manyEvents, api_key: 'phc_unknown' }, 'the end')],
  ['Segment', '/v1/batch', unparsable({ batch: segmentEvents, writeKey: 'phc_unknown' }, 'the end')],
  [
    'Segment',
    '/v1/batch',
    unparsable({ batch: segmentEvents.map((one) => ({ ...one, writeKey: 'phc_unknown' })) }, 'the beginning'),
  ],
])('an unknown key of %s (%s) at the end is refused before the body is parsed', async (_, path, body) => {
  const { wire, send, sendPacked } = await aFrontForEvents()

  expect((await send(path, body)).status).toBeOneOf([400, 401])
  expect((await sendPacked(path, gzipSync(body))).status).toBeOneOf([400, 401])
  expect(
    (await send(path, `data=${encodeURIComponent(gzipSync(body).toString('base64'))}`)).status,
  ).toBeOneOf([400, 401])
  const refusal = { reason: 'unknown-key', named: 'phc_unknown' }
  expect(wire.refusals).toMatchObject([refusal, refusal, refusal])
})

test.each<[string, string, (known: string) => object, Record<string, string>?]>([
  [
    'PostHog, behind other lists',
    '/batch/',
    (known) => ({ batch: manyEvents, list: [1], api_key: known, more: [] }),
  ],
  ['PostHog, in each event', '/e/', (known) => manyEvents.map((one) => ({ ...one, api_key: known }))],
  [
    'PostHog, beside a property token',
    '/batch/',
    (known) => ({ batch: manyEvents.map(withToken('of a friend')), token: known }),
  ],
  [
    'Segment, behind the messages',
    '/v1/batch',
    (known) => ({ batch: segmentEvents, writeKey: known, context: {} }),
  ],
  [
    'Segment, in each message',
    '/v1/batch',
    (known) => ({ batch: segmentEvents.map((one) => ({ ...one, writeKey: known })) }),
  ],
  [
    'Segment, beside that of a proxy',
    '/v1/batch',
    (known) => ({ writeKey: known, batch: segmentEvents }),
    basic,
  ],
  ['Mixpanel, behind the properties', '/import', (known) => manyEvents.map(withToken(known))],
])('a known key of %s is found in a large body, packed or not', async (_, path, content, headers) => {
  const { wire, send, sendPacked } = await aFrontForEvents()
  const body = JSON.stringify(content(key))

  expect((await send(path, body, headers)).status).toBe(200)
  expect((await sendPacked(path, gzipSync(body), headers)).status).toBe(200)
  expect(wire.refusals).toEqual([])
})

test('a known key at the beginning, and any at the end, are found as before', async () => {
  const { wire, sendPacked } = await aFrontForEvents()
  const pack = (content: object) => gzipSync(JSON.stringify(content))
  const noted = () => wire.refusals.splice(0).map(({ reason }) => reason)

  expect((await sendPacked('/batch/', pack({ api_key: key, batch: manyEvents }))).status).toBe(200)
  expect((await sendPacked('/batch/', pack({ batch: manyEvents, api_key: key }))).status).toBe(200)
  expect((await sendPacked('/2/httpapi', pack({ api_key: key, events: manyEvents }))).status).toBe(200)
  expect(noted()).toEqual([])
  expect((await sendPacked('/batch/', cutInTheMiddle({ api_key: key, batch: manyEvents }))).status).toBe(400)
  expect(noted()).toEqual(['unreadable'])
  expect((await sendPacked('/batch/', pack({ batch: manyEvents, api_key: 'phc_unknown' }))).status).toBe(401)
  expect(noted()).toEqual(['unknown-key'])
})

test('a property named like a key is none', async () => {
  const { sendPacked } = await aFrontForEvents()
  const set = { api_key: 'of another vendor', nested: [1] }
  const content = { $set: set, batch: manyEvents, api_key: key }

  expect((await sendPacked('/batch/', gzipSync(JSON.stringify(content)))).status).toBe(200)
})
