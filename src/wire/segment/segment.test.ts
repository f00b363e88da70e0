import { expect, test } from 'vitest'
import { recordingWireServices, recordingsOf } from '#test/wire/trackers-fixture'
import { replayRecording, respondTo, responseJson, vendorRequests } from '#test/wire/vendor-recordings'

const keys = { tilth_pub: 'key-1', WK: 'key-1' }
const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })

async function replayed(name: string) {
  const services = recordingWireServices()
  const answers = await replayRecording(vendorRequests('segment', name, keys), services)
  return { services, answers }
}

test('analytics-next asks for its settings and sends one message at a time', async () => {
  const { services, answers } = await replayed('segment-browser-01.json')
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(responseJson(answers[0] ?? { status: 0 })).toMatchObject({
    integrations: { 'Segment.io': { apiKey: 'key-1' } },
  })
  const anonymous = '0b89c87b-f682-40fa-8929-49d8e48214a2'
  expect(services.events()).toMatchObject([
    {
      name: '$pageview',
      distinctId: anonymous,
      hasPerson: false,
      identity: undefined,
      properties: {
        plan: 'x',
        name: 'Home',
        title: 'T',
        $current_url: 'http://127.0.0.1:43463/?utm_source=news&utm_campaign=c1',
        utm_source: 'news',
        utm_campaign: 'c1',
        $lib: 'analytics.js',
        $lib_version: 'npm:next-1.84.3',
        $browser_language: 'en-US',
      },
    },
    {
      name: '$identify',
      distinctId: 'u1',
      hasPerson: true,
      identity: { kind: 'identify', anonymous },
      person: { set: { email: 'a@b.c', plan: 'pro' } },
    },
    { name: 'Signed Up', distinctId: 'u1', properties: { amount: 9.5, items: [1] } },
    {
      name: '$groupidentify',
      group: { type: 'group', key: 'g1', set: { name: 'Acme' } },
      groups: { group: 'g1' },
    },
    { name: '$create_alias', distinctId: 'u1' },
    { name: '$screen', properties: { $screen_name: 'S' } },
  ])
  expect(services.accepted.every(({ envelope }) => !envelope.fromServer)).toBe(true)
  expect(services.accepted[0]?.envelope.sentAt?.toISOString()).toBe('2026-11-22T08:36:42.134Z')
})

test.each([
  ['segment-browser-02-batch.json', false],
  ['segment-node-01.json', true],
  ['segment-node-old-6.json', true],
])('%s is understood', async (name, fromServer) => {
  const { services, answers } = await replayed(name)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(services.refusals).toEqual([])
  expect(services.events().length).toBeGreaterThan(0)
  expect(services.events().every((event) => event.name !== '' && event.timestamp !== undefined)).toBe(true)
  expect(services.accepted.every(({ envelope }) => envelope.fromServer === fromServer)).toBe(true)
})

test('every recording is above', () => expect(recordingsOf('segment')).toHaveLength(4))

test('a server names who it sends for, and joins ids', async () => {
  const { services } = await replayed('segment-node-01.json')
  expect(services.events()).toMatchObject([
    { name: '$identify', distinctId: 'u1', person: { set: { email: 'a@b.c' } } },
    { name: 'Bought', distinctId: 'u1', timestamp: new Date('2026-01-01T00:00:00Z'), properties: { n: 1 } },
    { name: 'Anon', distinctId: 'an1', hasPerson: false },
    { name: '$pageview', properties: { $current_url: 'https://x/y', name: 'P' } },
    { name: '$groupidentify', group: { key: 'g1', set: { name: 'A' } } },
    { name: '$create_alias', distinctId: 'u2', identity: { kind: 'alias', alias: 'u1' } },
    { name: '$screen' },
  ])
})

test('a message that is sent again has the same uuid', async () => {
  const [first, second] = [await replayed('segment-node-01.json'), await replayed('segment-node-01.json')]
  const uuids = first.services.events().map(({ uuid }) => uuid)
  expect(uuids).toEqual(second.services.events().map(({ uuid }) => uuid))
  expect(new Set(uuids).size).toBe(uuids.length)
  expect(uuids).not.toContain(undefined)
})

test('each type has an address by its name and by its letter, below any prefix', async () => {
  const services = recordingWireServices()
  for (const path of ['/v1/track', '/v1/t', '/ingest/v1/track', '/v1/track/'])
    await respondTo({ path, headers: basic('key-1'), body: { event: 'e', userId: 7 } }, services)
  expect(services.events().map(({ name, distinctId }) => [name, distinctId])).toEqual(
    Array.from({ length: 4 }, () => ['e', '7']),
  )
})

test('an import keeps the times it has, and an order its amount', async () => {
  const services = recordingWireServices()
  const body = {
    batch: [
      {
        type: 'track',
        event: 'Order Completed',
        userId: 'u',
        originalTimestamp: '2012-01-02T03:04:05Z',
        properties: { total: 12.5, currency: 'EUR' },
        context: { ip: '192.0.2.1', userAgent: 'Mozilla/5.0', groupId: 'acme', traits: { plan: 'pro' } },
      },
    ],
  }
  await respondTo({ path: '/v1/import', headers: basic('key-1'), body }, services)
  expect(services.accepted[0]).toMatchObject({
    envelope: { isHistorical: true, fromServer: true },
    events: [
      {
        timestamp: new Date('2012-01-02T03:04:05Z'),
        groups: { group: 'acme' },
        person: { set: { plan: 'pro' } },
        properties: { $revenue: 12.5, currency: 'EUR', $ip: '192.0.2.1', $raw_user_agent: 'Mozilla/5.0' },
      },
    ],
  })
})

test.each([
  ['no key', '/v1/track', { event: 'e', userId: 'u' }, {}, 401, 'no-key'],
  ['an unknown key', '/v1/track', { event: 'e', userId: 'u', writeKey: 'x' }, {}, 401, 'unknown-key'],
  ['no JSON', '/v1/batch', 'batch=1', basic('key-1'), 400, 'unreadable'],
  ['a list', '/v1/batch', [], basic('key-1'), 400, 'unreadable'],
  ['neither batch nor message', '/v1/batch', {}, basic('key-1'), 400, 'unreadable'],
  [
    'too many messages',
    '/v1/batch',
    { batch: Array.from({ length: 20_001 }, () => ({})) },
    basic('key-1'),
    413,
    'too-large',
  ],
])('%s is refused', async (_what, path, body, headers, status, reason) => {
  const services = recordingWireServices()
  const answer = await respondTo({ path, body, headers }, services)
  expect(answer.status).toBe(status)
  expect(responseJson(answer)).toMatchObject({ success: false, message: expect.stringMatching(/\.$/) })
  expect(services.refusals).toMatchObject([{ dialect: 'segment', reason }])
})

test('a request of nothing but invalid messages is refused, and one that is kept in part is not', async () => {
  const services = recordingWireServices()
  services.outcome = 'no-name'
  const send = () =>
    respondTo({ path: '/v1/batch', headers: basic('key-1'), body: { batch: [{}, null, 'x'] } }, services)
  expect(await send()).toMatchObject({ status: 400, headers: { 'x-tilth-dropped': 'no-name' } })
  services.outcome = 'bot'
  expect(await send()).toMatchObject({ status: 200, headers: { 'x-tilth-dropped': 'bot' } })
  expect(services.events().slice(0, 3)).toMatchObject([{ name: '' }, { name: '' }, { name: '' }])
})

test('hostile fields change nothing about objects, and are not ids', async () => {
  const services = recordingWireServices()
  const body =
    '{"type":"identify","userId":{"a":1},"anonymousId":["x"],"traits":{"__proto__":{"admin":true}},"context":[],"timestamp":"never","messageId":{}}'
  await respondTo({ path: '/v1/i', headers: basic('key-1'), body }, services)
  const [event] = services.events()
  expect(event).toMatchObject({ distinctId: '', uuid: undefined, timestamp: undefined, identity: undefined })
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  expect(event?.properties).not.toHaveProperty('admin')
})

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices()
  services.outcome = 'full'
  const sent = { path: '/v1/track', headers: basic('key-1'), body: { event: 'e', userId: 'u' } }
  expect(await respondTo(sent, services)).toMatchObject({ status: 503, headers: { 'retry-after': '3' } })
})

test('settings of an unknown key are not found', async () => {
  const services = recordingWireServices()
  const answer = await respondTo({ method: 'GET', path: '/v1/projects/nobody/settings' }, services)
  expect(answer.status).toBe(404)
  expect(services.refusals).toMatchObject([{ dialect: 'segment', reason: 'unknown-key', named: 'nobody' }])
})
