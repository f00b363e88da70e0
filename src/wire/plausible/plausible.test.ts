import { expect, test } from 'vitest'
import {
  recordingWireServices,
  answerTo,
  recordingsOf,
  recordedRequests,
  type SentTrackerRequest,
} from '#test/wire/trackers-fixture'

const landing = 'http://127.0.0.1:44323/landing?utm_source=x#h'
const second = 'http://127.0.0.1:44323/second'

test.each([
  [
    'plausible-01-npm-tracker.json',
    [
      ['$pageview', { $current_url: landing, theme: 'dark', $lib: 'plausible', $lib_version: '36' }],
      ['Purchase', { plan: 'pro', $revenue: '12.50', $currency: 'EUR', $is_interactive: false }],
      ['Custom URL', { $current_url: 'https://example.com/other' }],
      ['$engagement', { $current_url: landing, $engaged_ms: 15, $scroll_depth: 24 }],
      ['$pageview', { $current_url: second }],
      ['$outbound_click', { url: 'https://example.com/x?q=1' }],
      ['$file_download', { url: 'http://127.0.0.1:44323/files/a.pdf' }],
      ['Sign Up', { plan: 'pro', $revenue: '10', $currency: 'USD' }],
      ['$form_submit', { $current_url: `${second}#t` }],
      ['$engagement', { $engaged_ms: 4186, $scroll_depth: 73 }],
    ],
  ],
  [
    'plausible-02-npm-tracker-hash.json',
    [
      ['$pageview', { $current_url: 'http://127.0.0.1:32861/#/one' }],
      ['$engagement', { $current_url: 'http://127.0.0.1:32861/#/one' }],
      ['$pageview', { $current_url: 'http://127.0.0.1:32861/#/two' }],
    ],
  ],
  [
    'plausible-03-legacy-plausible-tracker.json',
    [
      ['$pageview', { $screen_width: 1280 }],
      ['Signup', { a: 'b', $screen_width: 1280 }],
    ],
  ],
])('%s is understood', async (name, expected) => {
  const services = recordingWireServices()
  for (const sent of recordedRequests('plausible', name)) {
    const answer = await answerTo(sent, services)
    expect(answer).toMatchObject({ status: 202, body: 'ok' })
    expect(answer.headers).not.toHaveProperty('x-plausible-dropped')
  }

  expect(services.events().map((event) => [event.name, event.properties])).toEqual(
    expected.map(([event, properties]) => [event, expect.objectContaining(properties)]),
  )
  expect(services.events().every(({ distinctId, hasPerson }) => distinctId === undefined && !hasPerson)).toBe(
    true,
  )
})

test('every recording is in the table above', () => expect(recordingsOf('plausible')).toHaveLength(3))

const url = 'https://example.com/'
const send = (body: SentTrackerRequest['body'], services = recordingWireServices()) =>
  answerTo({ path: '/api/event', body }, services)

test('the long names of old are understood as well', async () => {
  const services = recordingWireServices()
  await send(
    { name: 'pageview', url, domain: 'example.com', referrer: 'https://ref.example/', meta: { a: 1 } },
    services,
  )
  expect(services.events()[0]).toMatchObject({
    name: '$pageview',
    properties: { $current_url: url, $referrer: 'https://ref.example/', a: 1 },
  })
})

test('a list of domains counts in each of their projects, and once where two are of one', async () => {
  const services = recordingWireServices([
    { names: ['a.example', 'b.example'], hosts: [] },
    { names: ['c.example'], hosts: [] },
  ])
  const answer = await send(
    { n: 'pageview', u: url, d: 'a.example, b.example,c.example,nobody.example' },
    services,
  )
  expect(answer.headers).not.toHaveProperty('x-plausible-dropped')
  expect(services.accepted.map(({ envelope }) => envelope.projectId)).toEqual([1, 2])
  expect(services.refusals).toEqual([
    { dialect: 'plausible', reason: 'unknown-key', named: 'nobody.example' },
  ])
})

test.each([
  ['a robot', 'bot', 'bot'],
  ['a shielded page', 'shielded-page', 'shielded-page'],
] as const)('%s is accepted and told in a header that it was dropped', async (_what, outcome, reason) => {
  const services = recordingWireServices()
  services.outcome = outcome
  expect(await send({ n: 'pageview', u: url, d: 'example.com' }, services)).toMatchObject({
    status: 202,
    body: 'ok',
    headers: { 'x-plausible-dropped': '1', 'x-tilth-dropped': reason },
  })
})

test('an unknown site is accepted, dropped and noted', async () => {
  const services = recordingWireServices([{ hosts: ['known.example'] }])
  const answer = await send({ n: 'pageview', u: url, d: 'example.com' }, services)
  expect(answer).toMatchObject({ status: 202, headers: { 'x-plausible-dropped': '1' } })
  expect(services.refusals).toEqual([{ dialect: 'plausible', reason: 'unknown-key', named: 'example.com' }])
})

test.each([
  ['is not JSON', 'n=pageview', { body: ['The body is not JSON.'] }],
  ['is a list', '[]', { body: ['is not an object'] }],
  ['names no event', { u: url, d: 'x' }, { event_name: ["can't be blank"] }],
  ['names no page', { n: 'pageview', d: 'x' }, { url: ["can't be blank"] }],
  ['names no site', { n: 'pageview', u: url }, { domain: ["can't be blank"] }],
])('a body that %s is refused with what is wrong', async (_what, body, errors) => {
  const answer = await send(body)
  expect(answer.status).toBe(400)
  expect(JSON.parse(String(answer.body))).toEqual({ errors })
})

test('properties that are empty or have parts are left out, and so are those beyond thirty', async () => {
  const services = recordingWireServices()
  const many = Object.fromEntries(Array.from({ length: 40 }, (_none, index) => [`p${index}`, index]))
  await send(
    { n: 'a', u: url, d: 'example.com', p: { empty: '', nothing: null, nested: { a: 1 }, ...many } },
    services,
  )
  const own = Object.keys(services.events()[0]?.properties ?? {}).filter((name) => /^[a-z]/.test(name))
  expect(own).toEqual(Object.keys(many).slice(0, 30))
})

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices()
  services.outcome = 'full'
  const answer = await send({ n: 'pageview', u: url, d: 'example.com' }, services)
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '3' } })
})

test.each([
  ['/js/script.js', { extensions: [] }],
  ['/js/script.hash.js', { extensions: ['hash'] }],
  ['/js/script.404.local.hash.js', { extensions: ['404', 'local', 'hash'] }],
  ['/js/plausible.js', { extensions: [] }],
  ['/stats/js/script.tagged-events.js', { extensions: ['tagged-events'] }],
  ['/js/pa-AbC_1-2.js', { site: 'AbC_1-2' }],
])('%s is a script that knows its name', async (path, variant) => {
  const answer = await answerTo({ method: 'GET', path }, recordingWireServices())
  expect(answer.status).toBe(200)
  expect(answer.body).toBe(`/* plausible */ const variant = ${JSON.stringify(variant)}`)
})

test.each(['/js/app.js', '/js/script.nothing.js', '/js/script.hash', '/js/pa-.js', '/js/pa-a"b.js'])(
  '%s is none of the scripts, and left to the site',
  async (path) =>
    await expect(answerTo({ method: 'GET', path }, recordingWireServices())).rejects.toThrow(
      'No tracker takes',
    ),
)
