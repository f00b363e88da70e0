import { expect, test } from 'vitest'
import { key, someWireServices } from '#test/wire/posthog-fixture'
import { recordingWireServices, recordingsOf } from '#test/wire/trackers-fixture'
import { replayRecording, respondTo, responseJson, vendorRequests } from '#test/wire/vendor-recordings'

const keys = { tilth_pub: 'key-1' }
const base64 = (value: unknown) =>
  `data=${encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'))}`

async function replayed(name: string) {
  const services = recordingWireServices()
  const answers = await replayRecording(vendorRequests('mixpanel', name, keys), services)
  return { services, answers }
}

const anonymous = '$device:38092362-574f-4d15-ba08-ec2edb0f328c'

test('the browser SDK is understood', async () => {
  const { services, answers } = await replayed('mixpanel-browser-01.json')
  expect(answers.map(responseJson)).toEqual(answers.map(() => ({ status: 1, error: null })))
  expect(services.events().slice(0, 5)).toMatchObject([
    {
      name: '$pageview',
      distinctId: anonymous,
      hasPerson: false,
      identity: undefined,
      timestamp: new Date(1_795_336_748_163),
      properties: {
        $current_url: 'http://127.0.0.1:36307/?utm_source=news&utm_campaign=c1',
        title: 'T',
        $lib: 'mixpanel-web',
        $lib_version: '2.83.0',
      },
    },
    { name: 'Bought', distinctId: anonymous, properties: { amount: 3, tags: ['a'] } },
    { name: 'T', distinctId: 'u1', hasPerson: true, identity: { kind: 'identify', anonymous } },
    { name: '$create_alias', distinctId: 'u1', identity: { kind: 'alias', alias: 'u9' } },
    { name: '$identify', distinctId: 'u9', identity: { kind: 'identify', anonymous: 'u1' } },
  ])
  const changes = services.events().filter(({ name, person }) => name === '$identify' && person.set['email'])
  expect(changes).toMatchObject([{ distinctId: 'u1', person: { set: { email: 'a@b.c', plan: 'pro' } } }])
  const all = services.events().map(({ person }) => person)
  expect(all).toContainEqual(expect.objectContaining({ add: { n: 2 } }))
  expect(all).toContainEqual(expect.objectContaining({ unset: ['z'] }))
  expect(all.flatMap(({ lists = [] }) => lists)).toEqual([
    { kind: 'append', name: 'l', item: 'x' },
    { kind: 'append-absent', name: 'u', item: ['a'] },
  ])
  expect(services.events().filter(({ group }) => group)).toMatchObject([
    {
      name: '$groupidentify',
      hasPerson: false,
      group: { type: 'company', key: 'g1', set: { name: 'Acme' } },
    },
  ])
})

test('the server SDK is understood, in the address as well', async () => {
  const { services, answers } = await replayed('mixpanel-node-01.json')
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, '1']))
  expect(services.events()).toMatchObject([
    { name: 'Bought', distinctId: 'u1', properties: { n: 1, $lib: 'mixpanel-node', $geoip_disable: true } },
    { name: 'A', timestamp: new Date(1_795_337_010_025) },
    { name: 'B' },
    { name: '$identify', person: { set: { email: 'a@b.c', plan: 'pro' } } },
    { name: '$identify', person: { add: { n: 2 } } },
    { name: '$identify' },
    { name: 'Purchase', distinctId: 'u1', properties: { $revenue: 9.5 } },
    { name: '$groupidentify', group: { type: 'company', key: 'g1', set: { name: 'A' } } },
    { name: '$create_alias', identity: { kind: 'alias', alias: 'al1' } },
  ])
  expect(services.accepted.every(({ envelope }) => envelope.fromServer)).toBe(true)
})

test.each(['mixpanel-browser-02-nobatch.json', 'mixpanel-browser-03-flags-replay.json'])(
  '%s is understood',
  async (name) => {
    const { services, answers } = await replayed(name)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(services.refusals).toEqual([])
    expect(services.accepted.every(({ envelope }) => envelope.dialect === 'mixpanel')).toBe(true)
    expect(services.events().length).toBeGreaterThan(5)
  },
)

test('every recording is above', () => expect(recordingsOf('mixpanel')).toHaveLength(4))

test.each([
  ['/track', { event: 'e', properties: { token: 'key-1', distinct_id: 'u' } }, 'mixpanel'],
  ['/mp/track/', [{ event: 'e', properties: { token: 'key-1', mp_lib: 'web' } }], 'mixpanel'],
  ['/engage', { $token: 'key-1', $distinct_id: 'u', $set: { a: 1 } }, 'mixpanel'],
  ['/track', { event: 'e', api_key: 'key-1', distinct_id: 'u' }, 'posthog'],
  ['/track', { event: 'e', properties: { token: 'key-1', distinct_id: 'u', $lib: 'web' } }, 'posthog'],
  ['/track', [{ event: 'e', uuid: 'x', properties: { token: 'key-1', distinct_id: 'u' } }], 'posthog'],
  ['/e', { event: 'e', properties: { token: 'key-1', distinct_id: 'u' } }, 'posthog'],
])('at %s %j is of %s', async (path, body, dialect) => {
  const services = recordingWireServices()
  expect((await respondTo({ path, body: base64(body) }, services)).status).toBe(200)
  expect(services.accepted.map(({ envelope }) => envelope.dialect)).toEqual([dialect])
})

test('what is sent again has the same uuid', async () => {
  const [first, second] = [
    await replayed('mixpanel-browser-01.json'),
    await replayed('mixpanel-browser-01.json'),
  ]
  const ids = first.services.events().flatMap(({ uuid }) => uuid ?? [])
  expect(ids).toEqual(second.services.events().flatMap(({ uuid }) => uuid ?? []))
  expect(new Set(ids).size).toBe(ids.length)
})

test.each([
  ['a list', JSON.stringify],
  ['lines', (items: readonly object[]) => items.map((item) => JSON.stringify(item)).join('\n')],
])('an import of %s keeps its times', async (_what, write) => {
  const services = recordingWireServices()
  const items = [1_300_000_000, 1_300_000_001].map((time) => ({
    event: 'old',
    properties: { time, distinct_id: 'u', $insert_id: `i${time}` },
  }))
  const headers = { authorization: `Basic ${Buffer.from('key-1:').toString('base64')}` }
  const answer = await respondTo({ path: '/import?strict=1', headers, body: write(items) }, services)
  expect(responseJson(answer)).toEqual({ code: 200, num_records_imported: 2, status: 'OK' })
  expect(services.accepted[0]).toMatchObject({
    envelope: { isHistorical: true },
    events: [{ timestamp: new Date(1_300_000_000_000) }, { timestamp: new Date(1_300_000_001_000) }],
  })
})

test('changes of lists are kept by the steps that prepare events', async () => {
  const services = await someWireServices()
  const update = { $token: key, $distinct_id: 'u', $append: { tags: 'a\u0000b' }, $union: { $ip: 'x' } }
  await respondTo({ path: '/engage', body: base64(update) }, services)
  expect(services.stored.map(({ person }) => person.lists)).toEqual([
    [{ kind: 'append', name: 'tags', item: 'a\ufffdb' }],
  ])
})

test('a server may name user and device only', async () => {
  const services = recordingWireServices()
  const send = (properties: object) =>
    respondTo(
      { path: '/track', body: base64({ event: 'e', properties: { token: 'key-1', ...properties } }) },
      services,
    )
  await send({ $device_id: 'd' })
  await send({ $device_id: 'd', $user_id: 'u' })
  expect(services.events()).toMatchObject([
    { distinctId: '$device:d', hasPerson: false },
    { distinctId: 'u', hasPerson: true, identity: { kind: 'identify', anonymous: '$device:d' } },
  ])
})

test.each([
  ['an unknown key', '/track?verbose=1', { event: 'e', properties: { token: 'x' } }, 401, 'unknown-key'],
  ['no key', '/groups?verbose=1', { $group_key: 'a', $group_id: 'b' }, 401, 'no-key'],
  [
    'too many',
    '/import',
    Array.from({ length: 20_001 }, () => ({ properties: { token: 'key-1' } })),
    413,
    'too-large',
  ],
])('%s is refused', async (_what, path, body, status, reason) => {
  const services = recordingWireServices()
  expect(await respondTo({ path, body: JSON.stringify(body) }, services)).toMatchObject({ status })
  expect(services.refusals).toMatchObject([{ dialect: 'mixpanel', reason }])
})

test('without verbose, a refusal is a zero', async () => {
  const services = recordingWireServices()
  const body = base64({ event: 'e', properties: { token: 'x' } })
  expect(await respondTo({ path: '/track', body }, services)).toMatchObject({ status: 401, body: '0' })
})

test('a line that is not JSON is named', async () => {
  const services = recordingWireServices()
  const answer = await respondTo({ path: '/import', body: '{"event":"a"}\n{' }, services)
  expect(responseJson(answer)).toMatchObject({ code: 400, error: 'Line 2 is not JSON.' })
})

test('hostile fields become nothing that counts', async () => {
  const services = recordingWireServices()
  const items = `[{"$token":"key-1","$distinct_id":{"a":1},"$set":[1],"$add":{"n":"x"},"$unset":"all","$append":{"$transactions":7}},
    {"event":["x"],"properties":"none"}, null, {"$group_key":"company","$group_id":"g","$set":{"__proto__":{"admin":1}}}]`
  expect((await respondTo({ path: '/engage', body: items }, services)).status).toBe(200)
  expect(services.events()).toMatchObject([
    { distinctId: '', person: { set: {}, add: {}, unset: [] } },
    { name: '' },
    { name: '' },
    { group: { key: 'g' } },
  ])
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
})

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices()
  services.outcome = 'full'
  const body = base64({ event: 'e', properties: { token: 'key-1', distinct_id: 'u' } })
  expect(await respondTo({ path: '/track', body }, services)).toMatchObject({ status: 503 })
})
