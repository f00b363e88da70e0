import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  someWireServices,
  answerTo,
  key,
  oldKey,
  otherKey,
  encodeBody,
  responseJson,
  type SentRequest,
} from '#test/wire/posthog-fixture'

const event = { event: 'e', distinct_id: 'u1', properties: { a: 1 } }
const ofProject = { ...event, token: key }
const body = (value: unknown): string => JSON.stringify(value)

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

test.each<[string, Omit<SentRequest, 'path'>]>([
  ['a bare event', { body: body(ofProject) }],
  ['a list of events', { body: body([ofProject]) }],
  ['a batch', { body: body({ api_key: key, batch: [event] }) }],
  ['a batch by the name "token"', { body: body({ token: key, batch: [event] }) }],
  ['the key among the properties', { body: body({ ...event, properties: { token: key } }) }],
  ['the key in the address', { body: body(event), query: { token: key } }],
  ['the key as a bearer', { body: body([event]), headers: { authorization: `Bearer ${key}` } }],
  ['gzip that nobody announced', { body: gzipSync(body(ofProject)) }],
  ['gzip that was announced', { body: gzipSync(body(ofProject)), headers: { 'content-encoding': 'gzip' } }],
  ['an announcement without gzip', { body: body(ofProject), headers: { 'content-encoding': 'gzip' } }],
  ['a form with base64', { body: encodeBody(ofProject, ['base64']) }],
  ['a form with base64 that nobody encoded', { body: `data=${base64({ ...ofProject, n: '~~>>??' })}` }],
  ['a form with JSON', { body: `data=${encodeURIComponent(body(ofProject))}` }],
  ['a form with JSON whose spaces are plus signs', { body: `data=${body(ofProject).replaceAll(',', ',+')}` }],
  ['bare base64', { body: base64(ofProject) }],
  [
    'gzip within base64',
    { body: `data=${encodeURIComponent(gzipSync(body(ofProject)).toString('base64'))}` },
  ],
  ['a mark of the byte order', { body: `\uFEFF${body(ofProject)}` }],
  ['base64 in the address', { method: 'GET', query: { data: base64(ofProject) } }],
  ['JSON in the address', { method: 'GET', query: { data: body(ofProject) } }],
])('events come as %s', async (_how, sent) => {
  const services = await someWireServices()
  const answer = await answerTo({ path: '/e/', ...sent }, services)
  expect(answer).toMatchObject({ status: 200, body: '{"status":"Ok"}' })
  expect(services.stored).toMatchObject([{ name: 'e', distinctId: 'u1', projectId: 1 }])
})

test.each([
  '/e',
  '/e/',
  '/i/v0/e',
  '/i/v0/e/',
  '/batch',
  '/batch/',
  '/capture/',
  '/track/',
  '/i/v0/ai/batch/',
  '/ingest/e/',
  '/a/b/c/i/v0/e/',
])('%s takes events', async (path) => {
  const services = await someWireServices()
  expect((await answerTo({ path, body: body(ofProject) }, services)).status).toBe(200)
  expect(services.stored).toHaveLength(1)
})

test.each<[string, unknown, number, string]>([
  ['no key', event, 401, 'no-key'],
  ['a key of nobody', { ...event, token: 'phc_nobody' }, 401, 'unknown-key'],
  ['keys of two projects', [ofProject, { ...event, token: otherKey }], 401, 'mixed-keys'],
  [
    'another project’s event in a batch',
    { api_key: key, batch: [{ ...event, properties: { token: otherKey } }] },
    401,
    'mixed-keys',
  ],
  ['nothing in a batch', { api_key: key, batch: [] }, 400, 'unreadable'],
  ['a batch that is none', { api_key: key, batch: {} }, 400, 'unreadable'],
  ['a number', 7, 400, 'unreadable'],
  ['a text', 'hello', 400, 'unreadable'],
])('%s is refused, and the owner sees it', async (_what, value, status, reason) => {
  const services = await someWireServices()
  const answer = await answerTo({ path: '/e', body: body(value) }, services)
  expect(answer.status).toBe(status)
  expect(services.refusals).toMatchObject([{ dialect: 'posthog', reason }])
  expect(services.accepted).toEqual([])
  expect(responseJson(answer)).toMatchObject({ detail: expect.stringMatching(/\.$/) })
})

test('a wrong key is named, so that its sender can be found', async () => {
  const services = await someWireServices()
  await answerTo({ path: '/e', body: body({ ...event, token: 'phc_nobody' }) }, services)
  expect(services.refusals[0]?.named).toBe('phc_nobody')
})

test('a property called "token" is a property where the batch names its key', async () => {
  const services = await someWireServices()
  const batch = [{ ...event, properties: { token: 'reset-password-123' } }]
  expect((await answerTo({ path: '/batch', body: body({ api_key: key, batch }) }, services)).status).toBe(200)
})

test('and where the bearer is the key, as in the protocol of 2026', async () => {
  const services = await someWireServices()
  const batch = [{ ...event, properties: { token: 'reset-password-123' } }]
  const headers = { authorization: `Bearer ${key}` }
  const answer = await answerTo({ path: '/i/v1/analytics/events', headers, body: body({ batch }) }, services)
  expect(answer.status).toBe(200)
})

test('an old key and a new one of the same project may stand in one request', async () => {
  const services = await someWireServices()
  const answer = await answerTo(
    { path: '/e', body: body([ofProject, { ...event, token: oldKey }]) },
    services,
  )
  expect(answer.status).toBe(200)
  expect(services.stored).toHaveLength(2)
})

test('lz64 is refused with what to do about it', async () => {
  const services = await someWireServices()
  const answer = await answerTo(
    { path: '/e', query: { compression: 'lz64' }, body: body(ofProject) },
    services,
  )
  expect(answer.status).toBe(400)
  expect(responseJson(answer)).toMatchObject({ detail: expect.stringContaining('Update the SDK') })
})

test('where nothing can be written down, the answer is 503 with a time to come back, and nothing else', async () => {
  const services = await someWireServices()
  services.close()
  for (const path of ['/e', '/batch', '/s', '/i/v1/analytics/events']) {
    const answer = await answerTo({ path, body: body([ofProject]) }, services)
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  }
})

test('an unload beacon is answered like any other request', async () => {
  const services = await someWireServices()
  const answer = await answerTo({ path: '/e', query: { beacon: '1' }, body: body(ofProject) }, services)
  expect(answer.status).toBe(200)
})

test.each([
  ['no name', { event: '' }],
  ['a name that is no text', { event: { a: 1 } }],
  ['nobody it is of', { distinct_id: undefined }],
  ['an id that is a list', { distinct_id: ['u1'] }],
])('a request whose only event has %s is refused', async (_what, changes) => {
  const services = await someWireServices()
  const answer = await answerTo({ path: '/e', body: body({ ...ofProject, ...changes }) }, services)
  expect(answer.status).toBe(400)
  expect(services.stored).toEqual([])
})

test('an event without a name takes no other with it', async () => {
  const services = await someWireServices()
  const answer = await answerTo(
    { path: '/e', body: body([ofProject, { ...ofProject, event: '' }, 7]) },
    services,
  )
  expect(answer).toMatchObject({ status: 200, headers: { 'x-tilth-dropped': 'no-name' } })
  expect(services.stored).toHaveLength(1)
})

test('an event of more than a megabyte is refused, which makes server SDKs halve their batch', async () => {
  const services = await someWireServices()
  const large = { ...ofProject, properties: { text: 'x'.repeat(1_100_000) } }
  expect((await answerTo({ path: '/e', body: body(large) }, services)).status).toBe(413)
  expect((await answerTo({ path: '/e', body: body([large, ofProject]) }, services)).status).toBe(200)
})

test('the protocol of 2026 says which of the events were dropped', async () => {
  const services = await someWireServices()
  const uuid = (end: number) => `01890a5d-ac96-774b-bcce-b302099a805${end}`
  const batch = [
    { ...event, uuid: uuid(1) },
    { ...event, uuid: uuid(2), event: '' },
  ]
  const headers = { authorization: `Bearer ${key}` }
  const answer = await answerTo({ path: '/i/v1/analytics/events', headers, body: body({ batch }) }, services)
  expect(answer.status).toBe(200)
  expect(responseJson(answer)).toEqual({
    results: {
      [uuid(1)]: { result: 'ok', details: null },
      [uuid(2)]: { result: 'drop', details: 'no-name' },
    },
  })
})

test('the options of the protocol of 2026 mean what properties meant before', async () => {
  const services = await someWireServices()
  const options = { process_person_profile: false, cookieless_mode: true, disable_skew_correction: true }
  const headers = { authorization: `Bearer ${key}`, 'posthog-sdk-info': 'posthog-python/7.0.0' }
  await answerTo(
    { path: '/i/v1/analytics/events', headers, body: body({ batch: [{ ...event, options }] }) },
    services,
  )
  expect(services.events()[0]).toMatchObject({
    hasPerson: false,
    properties: { $cookieless_mode: true, $ignore_sent_at: true, $lib: 'posthog-python' },
  })
  expect(services.events()[0]?.fromServer).toBe(true)
})

test('what is said about a person beside the properties holds against what is said among them', async () => {
  const services = await someWireServices()
  const properties = {
    $set: { plan: 'free', city: 'Bern' },
    $set_once: { first: 1 },
    $unset: ['old'],
    $add: { visits: 2 },
  }
  await answerTo(
    { path: '/e', body: body({ ...ofProject, properties, $set: { plan: 'pro' }, $unset: ['older'] }) },
    services,
  )
  expect(services.events()[0]?.person).toEqual({
    set: { plan: 'pro', city: 'Bern' },
    setOnce: { first: 1 },
    unset: ['old', 'older'],
    add: { visits: 2 },
  })
})

test.each([
  ['$identify', { $anon_distinct_id: 'anon' }, { kind: 'identify', anonymous: 'anon' }],
  ['$identify', { $anon_distinct_id: 7 }, { kind: 'identify', anonymous: '7' }],
  ['$identify', {}, undefined],
  ['$identify', { $anon_distinct_id: 'u1' }, undefined],
  ['$create_alias', { alias: 'other' }, { kind: 'alias', alias: 'other' }],
  ['$merge_dangerously', { alias: 'other' }, { kind: 'merge', other: 'other' }],
  ['e', { alias: 'other', $anon_distinct_id: 'anon' }, undefined],
])('%s with %j claims %j', async (name, properties, identity) => {
  const services = await someWireServices()
  await answerTo({ path: '/e', body: body({ ...ofProject, event: name, properties }) }, services)
  expect(services.events()[0]?.identity).toEqual(identity)
})

test('the oldest form says who a person is at /engage, without a name', async () => {
  const services = await someWireServices()
  const old = { $token: key, $distinct_id: 'u1', $set: { plan: 'pro' } }
  expect((await answerTo({ path: '/engage/', body: encodeBody(old, ['base64']) }, services)).status).toBe(200)
  expect(services.stored).toMatchObject([
    { name: '$identify', distinctId: 'u1', person: { set: { plan: 'pro' } } },
  ])
})

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0', {}, false],
  ['curl/8.5.0', {}, true],
  ['node', {}, true],
  ['axios/0.27.2', { $lib: 'posthog-node' }, true],
  ['posthog-node/5.70.0', { $is_server: true }, true],
  ['node', { $lib: 'web' }, false],
  ['posthog-ios/3.1', { $lib: 'posthog-ios' }, false],
  ['okhttp/4.12.0', {}, false],
  ['Mozilla/5.0', { $lib: 'posthog-python' }, true],
])('events of %s with %j are a server’s: %s', async (userAgent, properties, fromServer) => {
  const services = await someWireServices()
  await answerTo(
    { path: '/e', headers: { 'user-agent': userAgent }, body: body({ ...ofProject, properties }) },
    services,
  )
  const [{ events, envelope } = { events: [], envelope: undefined }] = services.accepted
  expect(events[0]?.fromServer ?? envelope?.fromServer).toBe(fromServer)
})

test('a wish not to be followed is passed on', async () => {
  const services = await someWireServices()
  await answerTo(
    { path: '/e', headers: { 'sec-gpc': '1', 'accept-language': 'de' }, body: body(ofProject) },
    services,
  )
  expect(services.accepted[0]?.envelope).toMatchObject({
    optedOut: true,
    language: 'de',
    address: '198.51.100.23',
  })
})

test.each(['/i/v1/logs', '/i/v1/metrics', '/i/v1/traces'])(
  '%s is taken, counted and not kept',
  async (path) => {
    const services = await someWireServices()
    const answer = await answerTo(
      { path, query: { token: key }, body: encodeBody({ resourceLogs: [] }, ['gzip']) },
      services,
    )
    expect(answer).toMatchObject({ status: 200, body: '{}', headers: { 'x-tilth-dropped': 'not-collected' } })
    expect(services.stored).toEqual([])
    expect((await answerTo({ path, headers: { authorization: `Bearer ${key}` } }, services)).status).toBe(200)
    expect((await answerTo({ path, query: { token: 'phc_nobody' } }, services)).status).toBe(401)
  },
)

describe('a project that has had its events of the month', () => {
  const batch = (names: string[]) =>
    names.map((name) => ({ event: name, distinct_id: 'u1', uuid: crypto.randomUUID() }))

  test('is not told an error: the SDK is quiet for a while', async () => {
    const services = await someWireServices({ monthlyEvents: 2 })
    const send = () =>
      answerTo(
        { path: '/batch', body: encodeBody({ api_key: key, batch: batch(['a', 'b', 'c']) }) },
        services,
      )
    const answer = await send()
    expect(answer).toMatchObject({ status: 200, headers: { 'x-tilth-dropped': 'over-quota' } })
    expect(responseJson(answer)).toEqual({ status: 1, quota_limited: ['events'] })
    await send()
    expect(services.stored.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('hears of each event by itself where the protocol can say so', async () => {
    const services = await someWireServices({ monthlyEvents: 1 })
    const events = batch(['a', 'b'])
    const sent = { path: '/i/v1/analytics/events', headers: { authorization: `Bearer ${key}` } }
    const answer = await answerTo({ ...sent, body: encodeBody({ batch: events }) }, services)
    expect(responseJson(answer)).toEqual({
      results: {
        [events[0]?.uuid ?? '']: { result: 'ok', details: null },
        [events[1]?.uuid ?? '']: { result: 'limited', details: 'over-quota' },
      },
    })
  })
})
