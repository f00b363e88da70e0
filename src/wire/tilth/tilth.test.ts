import { createHash } from 'node:crypto'
import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isUuid } from '#ingest/uuid'
import { visitorCookieFor } from '#visits/cookie'
import { recordingWireServices, answerTo, type SentTrackerRequest } from '#test/wire/trackers-fixture'

const uuid = '0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f60'
const message = {
  key: 'key-1',
  url: 'https://site.example/a?b=1',
  referrer: 'https://ref.example/',
  title: 'A page',
  screen: '1280x720',
  tag: 'blue',
  sentAt: Date.UTC(2026, 10, 21, 5, 59),
  events: [{ uuid, name: '$pageview', time: Date.UTC(2026, 10, 21, 5, 58) }],
}
const send = (body: SentTrackerRequest['body'], services = recordingWireServices(), headers = {}) =>
  answerTo({ path: '/_tilth/event', body, headers }, services)

test('an event has its page’s address, and its own time by the visitor’s clock', async () => {
  const services = recordingWireServices()
  const answer = await send(message, services)
  expect(answer.status).toBe(200)
  expect(JSON.parse(String(answer.body))).toEqual({ kept: 1, dropped: [] })
  expect(services.accepted).toMatchObject([
    {
      events: [
        {
          uuid,
          name: '$pageview',
          distinctId: undefined,
          hasPerson: false,
          timestamp: new Date(Date.UTC(2026, 10, 21, 5, 58)),
          properties: {
            $current_url: 'https://site.example/a?b=1',
            $referrer: 'https://ref.example/',
            title: 'A page',
            $screen: '1280x720',
            tag: 'blue',
            $lib: 'tilth',
          },
        },
      ],
      envelope: { sentAt: new Date(message.sentAt), optedOut: false, dialect: 'tilth', projectId: 1 },
    },
  ])
})

test('properties, revenue, and who it was', async () => {
  const services = recordingWireServices()
  const events = [
    { name: 'buy', props: { plan: 'pro', title: 'its own' }, revenue: { amount: 12.5, currency: 'EUR' } },
    { name: '$identify', set: { email: 'ana@example.com' } },
    { name: '$engagement', props: { $engaged_ms: 1234.567, $scroll_depth: 45.4, other: 1.5 } },
    { name: '$web_vitals', props: { $web_vitals_LCP_value: 812.4, $web_vitals_CLS_value: 0.012_345 } },
  ]
  await send({ ...message, distinctId: 'ana', events }, services)
  expect(services.events()).toMatchObject([
    {
      distinctId: 'ana',
      hasPerson: true,
      properties: { plan: 'pro', title: 'its own', $revenue: 12.5, $currency: 'EUR' },
    },
    { name: '$identify', person: { set: { email: 'ana@example.com' } } },
    { properties: { $engaged_ms: 1235, $scroll_depth: 45, other: 1.5 } },
    { properties: { $web_vitals_LCP_value: 812, $web_vitals_CLS_value: 0.0123 } },
  ])
})

test.each([
  ['by the browser’s own header', {}, { 'sec-gpc': '1' }, true],
  ['by the older one', {}, { dnt: '1' }, true],
  ['by the script, where a proxy lost the header', { optedOut: true }, {}, true],
  ['by the script, in the older words', { optedOut: '1' }, {}, true],
  ['by nobody', { optedOut: '0' }, {}, false],
])('a wish not to be followed is told %s', async (_how, more, headers, optedOut) => {
  const services = recordingWireServices()
  await send({ ...message, ...more }, services, headers)
  expect(services.accepted[0]?.envelope.optedOut).toBe(optedOut)
})

const visitor = '0192f0a1-7c11-4d5e-8a3f-aaaaaaaaaaaa'
const [cookie = ''] = visitorCookieFor(visitor, true).split(';')

test.each<[string, Record<string, string>, object, string | undefined]>([
  ['the site’s own page', { cookie, 'sec-fetch-site': 'same-origin' }, {}, visitor],
  ['among other cookies', { cookie: `a=b; ${cookie}; c=d`, 'sec-fetch-site': 'same-origin' }, {}, visitor],
  ['a browser that says its origin alone', { cookie, origin: 'http://a.test', host: 'a.test' }, {}, visitor],
  ['somebody named', { cookie, 'sec-fetch-site': 'same-origin' }, { distinctId: 'ana' }, 'ana'],
  ['a page of another site', { cookie, 'sec-fetch-site': 'cross-site' }, {}, undefined],
  ['a page of another origin', { cookie, origin: 'http://b.test', host: 'a.test' }, {}, undefined],
  ['nobody says where from', { cookie, host: 'a.test' }, {}, undefined],
  ['no cookie', { 'sec-fetch-site': 'same-origin' }, {}, undefined],
  ['not as we write it', { cookie: 'tilth_visitor=admin', 'sec-fetch-site': 'same-origin' }, {}, undefined],
  ['another one’s name', { cookie: `not_${cookie}`, 'sec-fetch-site': 'same-origin' }, {}, undefined],
])('the site’s cookie says whose events they are: %s', async (_what, headers, more, distinctId) => {
  const services = recordingWireServices()
  await send({ ...message, ...more }, services, headers)
  expect(services.events()[0]?.distinctId).toBe(distinctId)
})

test('an id that is no uuid becomes the same one at every attempt', async () => {
  const services = recordingWireServices()
  for (const id of ['0.1231795239480714', '0.1231795239480714', '0.99'])
    await send({ ...message, events: [{ name: 'a', uuid: id }] }, services)
  const [first, again, other] = services.events().map((event) => event.uuid ?? '')
  expect(isUuid(first ?? '')).toBe(true)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test('without a key, the page’s host says whose it is; a wrong key is told, not mended', async () => {
  const services = recordingWireServices([{ hosts: ['other.example'] }, { hosts: ['site.example'] }])
  await send({ ...message, key: undefined }, services)
  expect(services.accepted[0]?.envelope.projectId).toBe(2)
  expect(await send({ ...message, key: 'wrong' }, services)).toMatchObject({ status: 404 })
  expect(services.refusals).toEqual([{ dialect: 'tilth', reason: 'unknown-key', named: 'wrong' }])
})

test.each([
  ['a page of nobody', { ...message, key: undefined }, 404, 'unknown-key'],
  ['neither key nor page', { events: [] }, 404, 'no-key'],
  ['a list', [], 400, 'unreadable'],
  ['no JSON', '{', 400, 'unreadable'],
  ['bytes', new Uint8Array([0xff, 0xfe, 0]), 400, 'unreadable'],
])('%s is refused and noted', async (_what, body, status, reason) => {
  const services = recordingWireServices([{ hosts: [] }])
  expect(await send(body, services)).toMatchObject({ status })
  expect(services.refusals).toMatchObject([{ dialect: 'tilth', reason }])
})

test('what is no event is handed on as one without a name, to be counted as dropped', async () => {
  const services = recordingWireServices()
  await send({ ...message, events: [null, 7, 'x', { name: 5, time: 'soon', props: 'none' }] }, services)
  expect(services.events().map(({ name, timestamp }) => [name, timestamp])).toEqual([
    ['', undefined],
    ['', undefined],
    ['', undefined],
    ['5', undefined],
  ])
})

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices()
  services.outcome = 'full'
  expect(await send(message, services)).toMatchObject({ status: 503, headers: { 'retry-after': '3' } })
})

test('what was dropped is told, with the reason', async () => {
  const services = recordingWireServices()
  services.outcome = 'spam-referrer'
  const answer = await send(message, services)
  expect(answer).toMatchObject({ status: 200, headers: { 'x-tilth-dropped': 'spam-referrer' } })
})

const script = (headers: Record<string, string>) =>
  answerTo({ method: 'GET', path: '/ingest/_tilth/script.js', headers }, recordingWireServices())

test('the script comes packed as the browser can unpack it, and is not sent twice', async () => {
  const [plain, brotli, gzip] = await Promise.all(
    ['', 'gzip, deflate, br', 'gzip, br;q=0'].map((accepted) => script({ 'accept-encoding': accepted })),
  )
  expect(plain?.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    vary: 'accept-encoding',
  })
  expect(brotli?.headers).toMatchObject({ 'content-encoding': 'br' })
  expect(gzip?.headers).toMatchObject({ 'content-encoding': 'gzip' })
  expect(brotliDecompressSync(Buffer.from(brotli?.body ?? '')).toString()).toBe(plain?.body)
  expect(gunzipSync(Buffer.from(gzip?.body ?? '')).toString()).toBe(plain?.body)

  const again = await script({ 'if-none-match': plain?.headers?.['etag'] ?? '' })
  expect(again).toMatchObject({ status: 304 })
  expect(again.body).toBeUndefined()
})

test('a part that is requested by its digest is kept for good, and by any other for an hour', async () => {
  const cacheControl = async (path: string) =>
    (await answerTo({ method: 'GET', path }, recordingWireServices())).headers?.['cache-control']
  const text = '/* flags */ const variant = "__TILTH_VARIANT__"'
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 4)
  expect(await cacheControl(`/_tilth/flags.js?${digest}`)).toBe('public, max-age=31536000, immutable')
  for (const path of ['/_tilth/flags.js?old1', '/_tilth/flags.js', '/ingest/_tilth/flags.js'])
    expect(await cacheControl(path)).toBe('public, max-age=3600, stale-while-revalidate=86400')
})

test('the frame that draws diagrams is a page without an origin, which only pages of its own site show', async () => {
  const { status, headers } = await answerTo(
    { path: '/_tilth/diagram-frame.html', method: 'GET' },
    recordingWireServices(),
  )
  expect(status).toBe(200)
  const policy = headers?.['content-security-policy'] ?? ''
  for (const rule of ["default-src 'none'", 'sandbox allow-scripts', "frame-ancestors 'self'"])
    expect(policy).toContain(rule)
})

test('the script of the frame is compressed as the browser asks, and not sent again while it is the same', async () => {
  const request = (headers = {}) =>
    answerTo({ path: '/_tilth/diagram-frame.js', method: 'GET', headers }, recordingWireServices())
  const plain = await request()
  const packed = await request({ 'accept-encoding': 'gzip, br' })
  expect(packed.headers?.['content-encoding']).toBe('br')
  expect(brotliDecompressSync(packed.body ?? '')).toEqual(Buffer.from(plain.body ?? ''))
  const etag = plain.headers?.['etag'] ?? ''
  expect(await request({ 'if-none-match': etag })).toMatchObject({ status: 304 })
})
