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

test.each<[string, string, object, Record<string, string>?]>([
  ['PostHog', '/batch/', { api_key: 'phc_unknown', batch: manyEvents }],
  ['PostHog', '/e/?token=phc_unknown', { batch: manyEvents }],
  ['PostHog', '/i/v1/analytics/events', { batch: manyEvents }, bearer],
  ['PostHog', '/i/v1/logs', { resourceLogs: manyEvents }, bearer],
  ['Amplitude', '/2/httpapi', { api_key: 'phc_unknown', events: manyEvents }],
  ['GA4', '/mp/collect?api_secret=phc_unknown', { client_id: 'ana', events: manyEvents }],
  ['GoatCounter', '/api/v0/count', { hits: manyEvents }, bearer],
])('an unknown key of %s (%s) is refused before the body is unpacked', async (_, path, content, headers) => {
  const { wire, sendPacked } = await aFrontForEvents()

  expect((await sendPacked(path, cutInTheMiddle(content), headers)).status).toBeOneOf([400, 401])
  expect(wire.refusals).toMatchObject([{ reason: 'unknown-key', named: 'phc_unknown' }])
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
