import { expect, test } from 'vitest'
import {
  recordingWireServices,
  answerTo,
  recordingsOf,
  recordedRequests,
  type SentTrackerRequest,
  websiteId,
} from '#test/wire/trackers-fixture'

const start = 'http://127.0.0.1:38905/start?utm_source=g#h'
const person = { distinctId: 'user-1', hasPerson: true }

test.each([
  [
    'umami-01-tracker.json',
    [
      {
        name: '$pageview',
        properties: { $current_url: start, title: 'Umami T', tag: 'tagA', $screen: '1280x720' },
      },
      { name: 'signup', properties: { plan: 'pro', $browser_language: 'en-US' } },
      { name: 'ev', properties: { a: 1, b: { c: [1, 2] } } },
      { name: '$pageview', properties: { $current_url: 'https://127.0.0.1/custom', title: 'C' } },
      { name: 'objevent', properties: { $pathname: '/obj' } },
      { name: '$identify', ...person, person: { set: { email: 'x' } } },
      { name: '$identify', ...person, person: { set: { plan: 'y' } } },
      {
        name: '$web_vitals',
        ...person,
        properties: {
          $web_vitals_TTFB_value: 29,
          $web_vitals_FCP_value: 92,
          $web_vitals_LCP_value: 92,
          $load_ms: 1022,
        },
      },
      { name: '$pageview', ...person, properties: { $referrer: start } },
      { name: '$web_vitals', ...person, properties: { $load_ms: 818 } },
    ],
  ],
  ['umami-02-disabled-response.json', [{ name: '$pageview', properties: { $lib: 'umami' } }]],
  [
    'umami-node-01.json',
    [
      { name: '$pageview', properties: { $pathname: '/home' } },
      { name: 'ev', properties: { a: 1 } },
      { name: '$identify', distinctId: undefined, hasPerson: false },
    ],
  ],
])('%s is understood', async (name, expected) => {
  const services = recordingWireServices()
  for (const sent of recordedRequests('umami', name)) {
    const answer = await answerTo(sent, services)
    expect(answer.status).toBe(200)
    const messageOf = JSON.parse(String(answer.body))
    expect(messageOf).toEqual({
      cache: expect.any(String),
      sessionId: expect.any(String),
      visitId: expect.any(String),
    })
  }
  expect(services.events()).toEqual(
    expected.map((event) =>
      expect.objectContaining({
        ...event,
        properties: expect.objectContaining('properties' in event ? event.properties : {}),
        person: expect.objectContaining('person' in event ? event.person : {}),
      }),
    ),
  )
})

test('every recording is in the table above', () => expect(recordingsOf('umami')).toHaveLength(3))

test('the package for servers speaks for visitors elsewhere, the tracker for its own', async () => {
  const services = recordingWireServices()
  for (const name of ['umami-02-disabled-response.json', 'umami-node-01.json'])
    for (const sent of recordedRequests('umami', name)) await answerTo(sent, services)
  expect(services.accepted.map(({ envelope }) => envelope.fromServer)).toEqual([false, true, true, true])
})

const page = { website: websiteId, hostname: 'site.example', url: '/a?b=1' }
const event = (payload: object, type = 'event') => ({ type, payload: { ...page, ...payload } })
const send = (body: SentTrackerRequest['body'], services = recordingWireServices(), headers = {}) =>
  answerTo({ path: '/api/send', body, headers }, services)
const problemIn = ({ body }: { body?: unknown }) => JSON.parse(String(body))

test('a server tells whose address and user agent it was, and when', async () => {
  const services = recordingWireServices()
  await send(event({ ip: '198.51.100.4', userAgent: 'Mozilla/5.0 (X)', timestamp: 1_795_239_480 }), services)
  expect(services.accepted[0]).toMatchObject({
    events: [
      {
        timestamp: new Date(1_795_239_480_000),
        properties: {
          $ip: '198.51.100.4',
          $raw_user_agent: 'Mozilla/5.0 (X)',
          $current_url: 'https://site.example/a?b=1',
        },
      },
    ],
    envelope: { fromServer: true, isHistorical: true },
  })
})

test('an identified visitor is the one who was there before', async () => {
  const services = recordingWireServices()
  await send(event({ id: 'u1', data: { plan: 'pro' } }, 'identify'), services)
  await send(event({ id: 'u1' }), services)
  const [identified, viewed] = services.events()
  expect(identified).toMatchObject({ name: '$identify', distinctId: 'u1', identifiesVisitor: true })
  expect(viewed).not.toHaveProperty('identifiesVisitor')
})

test('what an event earned is known as such', async () => {
  const services = recordingWireServices()
  await send(event({ name: 'buy', data: { revenue: 19.9, currency: 'EUR' } }), services)
  expect(services.events()[0]?.properties).toMatchObject({ $revenue: 19.9, $currency: 'EUR' })
})

test('the ids stay while the tracker sends back what it was given, and the visit ends with half an hour of silence', async () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 21, 6, minutes))
  const sendAt = async (minutes: number, cache: string) =>
    problemIn(
      await answerTo(
        { path: '/api/send', body: event({}), headers: { 'x-umami-cache': cache }, receivedAt: at(minutes) },
        recordingWireServices(),
      ),
    )
  const first = await sendAt(0, '')
  const second = await sendAt(20, first.cache)
  const third = await sendAt(51, second.cache)
  const stranger = await sendAt(52, 'not one of ours')
  expect(second).toMatchObject({ sessionId: first.sessionId, visitId: first.visitId })
  expect(third.sessionId).toBe(first.sessionId)
  expect(third.visitId).not.toBe(first.visitId)
  expect(stranger.sessionId).not.toBe(first.sessionId)
})

test.each([
  ['a robot', 'bot', 200, { beep: 'boop' }],
  ['a visitor who does not want to be counted', 'opted-out', 200, { disabled: true }],
  [
    'a shielded address',
    'shielded-address',
    403,
    { error: { message: 'Not kept: shielded-address.', code: 'forbidden', status: 403 } },
  ],
] as const)('%s is told so', async (_who, outcome, status, answer) => {
  const services = recordingWireServices()
  services.outcome = outcome
  const answered = await send(event({}), services)
  expect(answered).toMatchObject({ status, headers: { 'x-tilth-dropped': outcome } })
  expect(problemIn(answered)).toEqual(answer)
})

test.each([
  ['an unknown website', { type: 'event', payload: { website: 'nobody' } }, /^Website not found: "nobody"/],
  ['no payload', { type: 'event' }, /^Send \{"type"/],
  ['a type that is none', event({}, 'pixel'), /^Send \{"type"/],
  ['no JSON', '{', /not JSON/],
])('%s is refused', async (_what, body, message) => {
  const services = recordingWireServices([{ hosts: ['elsewhere.example'] }])
  const answer = await send(body, services)
  expect(answer.status).toBe(400)
  expect(problemIn(answer).error).toMatchObject({
    code: 'bad-request',
    status: 400,
    message: expect.stringMatching(message),
  })
  expect(services.refusals).toHaveLength(1)
})

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices()
  services.outcome = 'full'
  expect(await send(event({}), services)).toMatchObject({ status: 503, headers: { 'retry-after': '3' } })
})

test('a batch is taken whole or not at all, so that what is sent again is not there twice', async () => {
  const services = recordingWireServices()
  const body = [event({}), { type: 'nonsense' }, event({})]
  services.outcome = 'full'
  expect(await answerTo({ path: '/api/batch', body }, services)).toMatchObject({ status: 503 })
  expect(services.accepted).toEqual([])
  services.outcome = 'kept'
  expect(problemIn(await answerTo({ path: '/api/batch', body }, services))).toMatchObject({
    processed: 2,
    errors: 1,
  })
  expect(services.events()).toHaveLength(2)
})

test('of a batch, what is wrong is told by its place and the rest is kept', async () => {
  const services = recordingWireServices()
  const body = [event({}), { type: 'event' }, event({ name: 'signup' })]
  const answer = problemIn(await answerTo({ path: '/umami/api/batch', body }, services))
  expect(answer).toMatchObject({
    size: 3,
    processed: 2,
    errors: 1,
    details: [{ index: 1 }],
    cache: expect.any(String),
  })
  expect(services.events().map(({ name }) => name)).toEqual(['$pageview', 'signup'])
})

test.each([
  ['no list', {}, 400],
  ['far too long', Array.from({ length: 1001 }, () => event({})), 413],
])('a batch that is %s is refused', async (_what, body, status) =>
  expect(await answerTo({ path: '/api/batch', body }, recordingWireServices())).toMatchObject({ status }),
)
