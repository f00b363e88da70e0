import { expect, test } from 'vitest'
import { z } from 'zod'
import type { IncomingEvent } from '#events/event'
import {
  someWireServices,
  answerTo,
  key,
  type Recording,
  recordingNames,
  recordingsOf,
  replay,
} from '#test/wire/posthog-fixture'

const sent = z.looseObject({
  event: z.string(),
  uuid: z.string().optional(),
  timestamp: z.string().optional(),
  offset: z.number().optional(),
  distinct_id: z.string().optional(),
  properties: z.looseObject({ distinct_id: z.string().optional() }),
})
const delivered = z.union([
  z.looseObject({ batch: z.array(sent) }).transform(({ batch }) => batch),
  z.array(sent),
  sent.transform((one) => [one]),
])

const isForEvents = ({ path }: Recording): boolean => /\/(?:e|batch|i\/v1\/analytics\/events)\/?$/.test(path)
const isForReplay = ({ path }: Recording): boolean => path.endsWith('/s/')
const isTelemetry = ({ path }: Recording): boolean => /\/i\/v1\/(?:logs|metrics|traces)$/.test(path)
const isForServersAlone = ({ path }: Recording): boolean =>
  /definitions|local_evaluation|remote_config/.test(path)

/** Events as the recording itself tells of them. */
const eventsIn = (one: Recording) =>
  isForEvents(one)
    ? delivered.parse(one.body).map(({ event, uuid, timestamp, offset, distinct_id, properties }) => {
        const id = distinct_id ?? properties.distinct_id
        return {
          name: event,
          uuid,
          timestamp: timestamp === undefined ? undefined : new Date(timestamp),
          ageMs: offset,
          distinctId: id === '$posthog_cookieless' ? undefined : id,
        }
      })
    : []

const essence = ({ name, uuid, timestamp, ageMs, distinctId }: IncomingEvent) => ({
  name,
  uuid,
  timestamp,
  ageMs,
  distinctId,
})

const statusOf = (one: Recording): number => (isForServersAlone(one) ? 401 : 200)

/** A preflight is answered at the door, for every dialect alike. */
const recordedRequest = (name: string) => recordingsOf(name).filter(({ method }) => method !== 'OPTIONS')

test.each(recordingNames)('%s is understood', async (name) => {
  const services = await someWireServices()
  for (const one of recordedRequest(name)) {
    const before = services.events().length
    const answer = await replay(one, services)

    expect(`${one.path} ${answer.status}`).toBe(`${one.path} ${statusOf(one)}`)
    expect(answer.headers?.['access-control-allow-origin']).toBe('*')
    if (!isForReplay(one) && !isTelemetry(one))
      expect(services.events().slice(before).map(essence)).toEqual(eventsIn(one))
  }
  expect(services.refusals).toEqual([])
  expect(services.accepted.every(({ envelope }) => envelope.projectId === 1)).toBe(true)
})

test('there are recordings of every kind to hold the dialect to', () => {
  const all = recordingNames.flatMap(recordedRequest)
  const encodings = new Set(all.map(({ bodyEncoding = [] }) => bodyEncoding.join(' ')))
  expect(recordingNames.length).toBeGreaterThan(110)
  expect([...encodings].sort()).toEqual(['', 'content-encoding:gzip', 'form:data= base64', 'gzip-magic'])
  expect(all.flatMap(eventsIn).length).toBeGreaterThan(300)
})

/** All events of a recording by their name. */
async function eventsOf(name: string) {
  const services = await someWireServices()
  for (const one of recordingsOf(name)) await replay(one, services)
  return { services, named: (event: string) => services.events().filter((other) => other.name === event) }
}

test('identify says who the visitor was before, and what is known of the person', async () => {
  const { named } = await eventsOf('posthog-js-04-identify')
  const [identify] = named('$identify')
  expect(identify).toMatchObject({
    distinctId: 'user-1',
    identity: { kind: 'identify', anonymous: '01a1fc88-2d21-7de2-a293-47ddea4bb03a' },
    hasPerson: true,
    person: {
      set: { email: 'a@b.c' },
      setOnce: { first: 'x', $initial_utm_source: 'news' },
      unset: [],
      add: {},
    },
  })
})

test('an alias names the other id', async () => {
  const { named } = await eventsOf('posthog-js-06-alias-set-unset')
  expect(named('$create_alias')).toHaveLength(1)
  expect(named('$create_alias')[0]).toMatchObject({
    distinctId: 'user-1',
    identity: { kind: 'alias', alias: 'alias-1' },
    groups: { company: 'acme' },
  })
})

test('what is set, set once and unset among the properties is understood', async () => {
  const { named } = await eventsOf('posthog-js-06-alias-set-unset')
  expect(named('$set').map(({ person }) => person)).toEqual([
    { set: { x: 1 }, setOnce: { y: 2 }, unset: [], add: {} },
    { set: {}, setOnce: {}, unset: ['x'], add: {} },
  ])
})

test('a group is described by its own event, and acted for by the others', async () => {
  const { named } = await eventsOf('posthog-js-05-group')
  expect(named('$groupidentify')[0]).toMatchObject({
    group: { type: 'company', key: 'acme', set: { name: 'Acme' } },
    groups: { company: 'acme' },
    hasPerson: true,
  })
})

test('a server speaks for people and groups who are elsewhere', async () => {
  const { services, named } = await eventsOf('posthog-node-01-capture-identify-alias-group')
  expect(services.accepted.every(({ envelope }) => envelope.fromServer)).toBe(true)
  expect(named('order placed')[0]).toMatchObject({
    distinctId: 'u1',
    person: { set: { plan: 'pro' }, setOnce: { first: 1 } },
    groups: { company: 'acme' },
  })
  expect(named('$identify')[0]).toMatchObject({ identity: undefined, person: { set: { email: 'a@b.c' } } })
  expect(named('$create_alias')[0]).toMatchObject({
    distinctId: 'u1',
    identity: { kind: 'alias', alias: 'anon-1' },
  })
  expect(named('$groupidentify')[0]).toMatchObject({ distinctId: '$company_acme', hasPerson: false })
  expect(named('personless')[0]?.hasPerson).toBe(false)
})

test('a browser is its visitor’s own', async () => {
  const { services } = await eventsOf('old-posthog-js-1.57.2')
  expect(services.accepted.some(({ envelope }) => envelope.fromServer)).toBe(false)
})

test('cookieless visitors have no id of their own, and no one is made of them', async () => {
  const { services, named } = await eventsOf('posthog-js-33-cookieless-always')
  expect(named('$pageview')[0]).toMatchObject({ distinctId: undefined, hasPerson: false })
  expect(new Set(services.stored.map(({ distinctId }) => distinctId)).size).toBe(1)
  expect(services.stored[0]).toMatchObject({
    isCookieless: true,
    distinctId: expect.not.stringContaining('posthog'),
  })
})

test('old data is believed, whatever its age', async () => {
  const { services } = await eventsOf('posthog-node-10-historical')
  expect(services.accepted[0]?.envelope.isHistorical).toBe(true)
})

test('the clock that browsers of old wrote into the address is when they sent', async () => {
  const { services } = await eventsOf('old-posthog-js-1.57.2')
  expect(services.accepted[0]?.envelope.sentAt).toEqual(new Date(1_795_239_694_018))
})

test('recordings of sessions are counted and forgotten', async () => {
  const services = await someWireServices()
  const [snapshots] = recordingsOf('posthog-js-07-autocapture-click').filter(isForReplay)
  if (!snapshots) throw new Error('The recording holds no snapshots.')
  const answer = await replay(snapshots, services)
  expect(answer).toMatchObject({
    status: 200,
    body: '{"status":"Ok"}',
    headers: { 'x-tilth-dropped': 'replay' },
  })
  expect(services.stored).toEqual([])
  expect(services.events()[0]).toMatchObject({ name: '$snapshot', properties: {} })
})

test.each([
  // the recording         and the number of its entries
  ['posthog-js-45-logs-console', '$otel_log', 2],
  ['posthog-js-69-metrics', '$otel_metric', 4],
])('%s: each entry is taken, dropped and counted', async (name, eventName, amount) => {
  const services = await someWireServices()
  const [telemetry] = recordingsOf(name).filter(isTelemetry)
  if (!telemetry) throw new Error('The recording holds no telemetry.')
  const answer = await replay(telemetry, services)
  expect(answer).toMatchObject({ status: 200, body: '{}', headers: { 'x-tilth-dropped': 'not-collected' } })
  expect(services.stored).toEqual([])
  expect(services.events().map((event) => event.name)).toEqual(
    Array.from({ length: amount }, () => eventName),
  )
})

test.each([
  ['traces', { resourceSpans: [{ scopeSpans: [{ spans: [{}, {}] }, { spans: [{}] }] }] }, 3],
  ['no list where one belongs', { resourceSpans: { scopeSpans: 1 } }, 1],
  ['OpenTelemetry’s own packing', '\u000a\u0003abc', 1],
])('%s are counted', async (_, body, amount) => {
  const services = await someWireServices()
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { authorization: `Bearer ${key}` }
  expect((await answerTo({ path: '/i/v1/traces', headers, body: text }, services)).status).toBe(200)
  expect(services.events()).toHaveLength(amount)
})

test('the protocol of 2026 is answered for each event', async () => {
  const services = await someWireServices()
  const [first] = recordingsOf('posthog-node-11-capture-v1')
  if (!first) throw new Error('The recording is empty.')
  const answer = await replay(first, services)
  expect(services.events()[0]).toMatchObject({
    name: 'e0',
    hasPerson: false,
    properties: { $session_id: 's1', $lib: 'posthog-node', $lib_version: '5.70.0', a: 0 },
    person: { set: { q: 1 } },
  })
  expect(services.accepted[0]?.envelope).toMatchObject({
    fromServer: true,
    sentAt: new Date('2026-11-21T05:30:49.404Z'),
  })
  expect(JSON.parse(String(answer.body))).toEqual({
    results: Object.fromEntries(services.events().map(({ uuid }) => [uuid, { result: 'ok', details: null }])),
  })
})

test(`every recording is of the key ${key}`, () => {
  const bodies = recordingNames
    .flatMap(recordingsOf)
    .map(({ body, headers, query, path }) => JSON.stringify([body, headers, query, path]))
  expect(bodies.filter((text) => text.includes('phc_') && !text.includes(key))).toEqual([])
})
