import { expect, test } from 'vitest'
import { timeOfUuid } from '#ingest/uuid'
import { textField } from '../read-fields'
import { recordingWireServices, recordingsOf } from '#test/wire/trackers-fixture'
import { replayRecording, respondTo, responseJson, vendorRequests } from '#test/wire/vendor-recordings'

const keys = { tilth_pub: 'key-1' }

async function replayed(name: string) {
  const services = recordingWireServices()
  const answers = await replayRecording(vendorRequests('amplitude', name, keys), services)
  return { services, answers }
}

const device = '2115f40c-c934-4a1f-b07f-f8cd624386aa'

test('the browser SDK is understood', async () => {
  const { services, answers } = await replayed('amplitude-browser-01.json')
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers.map(responseJson)).toMatchObject([
    { code: 200, events_ingested: 8, server_upload_time: expect.any(Number) },
    { code: 200, events_ingested: 1 },
  ])
  const common = { distinctId: 'u1', hasPerson: true, identity: { kind: 'identify', anonymous: device } }
  const $current_url = 'http://127.0.0.1:37537/?utm_source=news&utm_campaign=c1'
  expect(services.events()).toMatchObject([
    {
      ...common,
      name: '$identify',
      person: {
        set: { utm_campaign: 'c1', utm_source: 'news' },
        setOnce: { initial_utm_campaign: 'c1', initial_utm_source: 'news' },
        unset: expect.arrayContaining(['gclid', 'referrer']),
      },
    },
    { ...common, name: 'session_start' },
    { ...common, name: '$pageview', properties: { $current_url, title: 'T', $lib: 'amplitude-ts' } },
    { ...common, name: 'Bought', properties: { amount: 3, tags: ['a'], $lib_version: '2.42.0' } },
    {
      ...common,
      name: '$identify',
      person: {
        set: { plan: 'pro' },
        setOnce: { first: 1 },
        add: { n: 2 },
        unset: ['z'],
        lists: [{ kind: 'append', name: 'l', item: 'x' }],
      },
    },
    { name: '$identify', groups: { company: 'g1' }, person: { set: { company: 'g1' } } },
    { name: '$groupidentify', group: { type: 'company', key: 'g1', set: { name: 'Acme' } } },
    { name: 'revenue_amount', properties: { $revenue: 19.8, $productId: 'p1' } },
    { name: '[Amplitude] Element Clicked', properties: { '[Amplitude] Element Text': 'Buy' } },
  ])
  const [first] = services.events()
  expect(Object.keys(first?.person.setOnce ?? {})).toHaveLength(2)
  expect(timeOfUuid(textField(first?.properties ?? {}, '$session_id') ?? '')).toBe(1_795_336_921_224)
  expect(first?.properties).not.toHaveProperty('$ip')
})

test('the server SDK is understood', async () => {
  const { services, answers } = await replayed('amplitude-node-01.json')
  expect(answers).toMatchObject([{ status: 200 }])
  expect(services.events()).toMatchObject([
    {
      name: 'Bought',
      distinctId: 'user1',
      properties: { n: 1 },
      uuid: 'd54cbea0-c3c7-469c-a76e-e745b0dcd0a4',
    },
    { name: '$identify', distinctId: 'user1', person: { set: { plan: 'pro' } } },
  ])
  expect(services.accepted[0]?.envelope.fromServer).toBe(true)
})

test('every recording is above', () => expect(recordingsOf('amplitude')).toHaveLength(2))

const send = (body: object | string, path = '/2/httpapi', services = recordingWireServices()) =>
  respondTo({ path, body }, services).then((answer) => ({ answer, services }))
const events = (...all: object[]) => ({ api_key: 'key-1', events: all })

test('at /batch its body is told from PostHog’s', async () => {
  const { services } = await send(events({ event_type: 'a', device_id: 'd' }), '/batch')
  await send({ api_key: 'key-1', batch: [{ event: 'b', distinct_id: 'u' }] }, '/batch', services)
  expect(services.accepted.map(({ envelope }) => envelope.dialect)).toEqual(['amplitude', 'posthog'])
  expect(services.events().map(({ name }) => name)).toEqual(['a', 'b'])
})

test('the forms for identities are understood', async () => {
  const identification = encodeURIComponent(
    JSON.stringify({ user_id: 'u', user_properties: { plan: 'pro', $prepend: { l: 1 } } }),
  )
  const { services } = await send(`api_key=key-1&identification=${identification}`, '/identify')
  const group = encodeURIComponent(
    JSON.stringify([{ groups: { org: ['a', 'b'] }, group_properties: { seats: 3 } }]),
  )
  await send(`api_key=key-1&identification=${group}`, '/groupidentify', services)
  expect(services.events()).toMatchObject([
    {
      name: '$identify',
      distinctId: 'u',
      person: { set: { plan: 'pro' }, lists: [{ kind: 'prepend', name: 'l', item: 1 }] },
    },
    {
      name: '$groupidentify',
      distinctId: '$org_a',
      hasPerson: false,
      group: { type: 'org', key: 'a', set: { seats: 3 } },
    },
  ])
})

test('a visitor without a user id is no person until properties are set on purpose', async () => {
  const { services } = await send(
    events(
      { event_type: 'a', device_id: 'd' },
      { event_type: '$identify', device_id: 'd', user_properties: { $setOnce: { initial_gclid: 'x' } } },
      { event_type: '$identify', device_id: 'd', user_properties: { $append: { l: 1 } } },
    ),
  )
  expect(services.events().map(({ hasPerson }) => hasPerson)).toEqual([false, false, true])
})

test.each([
  [{ revenue: 5, price: 2 }, {}, 5],
  [{ price: 2, quantity: 3 }, {}, 6],
  [{}, { $price: '1.5' }, 1.5],
  [{}, {}, undefined],
])('of %j and %j the revenue is counted', async (beside, among, revenue) => {
  const { services } = await send(
    events({ event_type: 'r', user_id: 'u', event_properties: among, ...beside }),
  )
  expect(services.events()[0]?.properties['$revenue']).toBe(revenue)
})

test('an id that is none is used per device, and the same one again is the same uuid', async () => {
  const one = (device_id: string) => ({ event_type: 'a', device_id, insert_id: '7' })
  const { services } = await send(events(one('d1'), one('d1'), one('d2')))
  const [first, again, other] = services.events().map(({ uuid }) => uuid)
  expect(first).toBeDefined()
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test.each([
  ['an unknown key', { api_key: 'x', events: [] }, 400, { error: expect.stringMatching(/^Invalid API key/) }],
  ['no key', { events: [] }, 400, { error: expect.stringMatching(/^Invalid API key/) }],
  ['no JSON', '{', 400, { missing_field: 'event_type' }],
  ['no events', { api_key: 'key-1' }, 400, { missing_field: 'event_type' }],
  ['too many', { api_key: 'key-1', events: Array.from({ length: 20_001 }, () => 0) }, 413, { code: 413 }],
])('%s is refused so that its SDK does not send it again', async (_what, body, status, expected) => {
  const { answer, services } = await send(body)
  expect(answer.status).toBe(status)
  expect(responseJson(answer)).toMatchObject(expected)
  expect(services.refusals).toMatchObject([{ dialect: 'amplitude' }])
})

test('hostile fields become nothing that counts', async () => {
  const { services, answer } = await send(
    '{"api_key":"key-1","events":[null,7,{"event_type":{"a":1},"user_id":[],"session_id":1e300,"time":"x","user_properties":"no","groups":[["a"]],"insert_id":{}},{"event_type":"e","user_id":"u","user_properties":{"$set":{"__proto__":{"admin":1}},"$add":{"n":"many"}}}]}',
  )
  expect(answer.status).toBe(200)
  expect(services.events().map(({ name }) => name)).toEqual(['', '', '', 'e'])
  expect(services.events()[3]?.person.add).toEqual({})
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
})

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices()
  services.outcome = 'full'
  const { answer } = await send(events({ event_type: 'a', user_id: 'u' }), '/2/httpapi', services)
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '3' } })
})
