import { expect, test } from 'vitest'
import { recordingWireServices } from '#test/wire/trackers-fixture'
import {
  isTaken,
  replayRecording,
  respondTo,
  responseJson,
  vendorRequests,
} from '#test/wire/vendor-recordings'

const sites = [{ names: ['acme.test'], hosts: ['acme.test', 'www.acme.test'] }]

test('its script is understood', async () => {
  const services = recordingWireServices(sites)
  const requests = vendorRequests('simple-analytics', 'simple-analytics-01.json', {})
  const answers = await replayRecording(requests, services)
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 201])
  expect(answers[0]?.headers).toMatchObject({ 'content-type': 'image/gif' })
  expect(services.events()).toMatchObject([
    {
      name: '$pageview',
      uuid: '8ab700b7-2c18-41c9-89ba-e20e624e505f',
      distinctId: undefined,
      hasPerson: false,
      properties: {
        $current_url: 'https://acme.test/?utm_source=news&utm_campaign=c1',
        $screen_width: 1280,
        $timezone: 'UTC',
        $browser_language: 'en-US',
        $lib: 'simple-analytics',
        $lib_version: 'cdn_latest_dev_11',
      },
    },
    {
      name: 'clicked',
      uuid: 'ccdc8ec9-2c4d-4970-9c64-b673d96a3954',
      properties: { n: 1, $current_url: 'https://acme.test/?utm_source=news&utm_campaign=c1' },
    },
    {
      name: '$engagement',
      properties: {
        $engaged_ms: 5000,
        $scroll_depth: 100,
        $current_url: 'http://acme.test:38843/?utm_source=news&utm_campaign=c1',
      },
    },
  ])
})

const view = (fields: Record<string, string>, services = recordingWireServices(sites), headers = {}) =>
  respondTo(
    { method: 'GET', path: `/simple/simple.gif?${new URLSearchParams(fields)}`, headers },
    services,
  ).then((answer) => ({ answer, event: services.events()[0], services }))

test.each([
  ['its own name', { hostname: 'acme.test', path: '/a' }, 'https://acme.test/a'],
  [
    'a www',
    { hostname: 'acme.test', hostname_original: 'www.acme.test', path: '/a' },
    'https://www.acme.test/a',
  ],
  [
    'the key as name',
    { hostname: 'key-1', hostname_original: 'acme.test', path: '/a' },
    'https://acme.test/a',
  ],
  ['a hash', { hostname: 'acme.test', path: '/a#/b', query: 'x=1' }, 'https://acme.test/a?x=1#/b'],
  ['plain http', { hostname: 'acme.test', path: 'a', https: 'false' }, 'http://acme.test/a'],
])('a view with %s has its address', async (_what, fields, url) => {
  const { event } = await view(fields)
  expect(event?.properties['$current_url']).toBe(url)
})

test.each([
  ['another site', 'news.example/a', 'https://news.example/a'],
  ['the site itself', 'acme.test/before', undefined],
  ['an app', 'android-app://com.example', 'android-app://com.example'],
])('a referrer of %s is read', async (_what, referrer, expected) => {
  const { event } = await view({ hostname: 'acme.test', path: '/', referrer })
  expect(event?.properties['$referrer']).toBe(expected)
})

test('an event of another origin has a host and no path', async () => {
  const { event } = await view({ hostname: 'acme.test', type: 'event', event: 'sold' }, undefined, {
    referer: 'https://acme.test/',
    'sec-fetch-site': 'cross-site',
  })
  expect(event).toMatchObject({ name: 'sold', properties: { $host: 'acme.test' } })
  expect(event?.properties).not.toHaveProperty('$current_url')
})

test('the reading time of a view that ended within the page is not the next view’s', async () => {
  const fields = { hostname: 'acme.test', type: 'append', original_id: 'a', duration: '3' }
  const headers = { referer: 'https://acme.test/next', 'sec-fetch-site': 'same-origin' }
  const { event } = await view(fields, undefined, headers)
  expect(event).toMatchObject({ name: '$engagement', properties: { $engaged_ms: 3000, $host: 'acme.test' } })
  expect(event?.properties).not.toHaveProperty('$current_url')
})

test('a page without scripts is counted by its picture', async () => {
  const services = recordingWireServices(sites)
  const headers = { referer: 'https://acme.test/plain?a=1' }
  const answer = await respondTo({ method: 'GET', path: '/noscript.gif', headers }, services)
  expect(answer.status).toBe(200)
  expect(services.events()).toMatchObject([
    { name: '$pageview', properties: { $current_url: 'https://acme.test/plain?a=1' } },
  ])
})

test('a server sends events and views', async () => {
  const services = recordingWireServices(sites)
  const common = { hostname: 'acme.test', ua: 'Mozilla/5.0 (X11; Linux x86_64)' }
  const bodies = [
    { ...common, type: 'event', event: 'sold', metadata: { amount: 3 } },
    { ...common, type: 'pageview', event: 'pageview', path: '/page' },
  ]
  for (const body of bodies)
    expect(
      await respondTo({ path: '/events', body, headers: { 'user-agent': 'node' } }, services),
    ).toMatchObject({
      status: 201,
    })
  expect(services.accepted.every(({ envelope }) => envelope.fromServer)).toBe(true)
  expect(services.events()).toMatchObject([
    { name: 'sold', properties: { amount: 3, $host: 'acme.test', $raw_user_agent: common.ua } },
    { name: '$pageview', properties: { $current_url: 'https://acme.test/page' } },
  ])
})

test('errors of the script are no events', async () => {
  const { answer, services } = await view({ hostname: 'acme.test', type: 'error', error: 'x' })
  expect(answer.status).toBe(200)
  expect(services.events()).toEqual([])
})

test('a picture of the site is not taken', () => {
  expect(isTaken({ method: 'GET', path: '/simple.gif' })).toBe(false)
  expect(isTaken({ method: 'GET', path: '/events' })).toBe(false)
})

test('an unknown site is refused, and noted', async () => {
  const { answer, services } = await view({ hostname: 'nobody.example', path: '/' })
  expect(answer.status).toBe(400)
  expect(services.refusals).toMatchObject([{ dialect: 'simple-analytics', named: 'nobody.example' }])
})

test.each([
  ['no JSON', '{'],
  ['a list', []],
  ['no type', { hostname: 'acme.test' }],
  ['no hostname', { type: 'event', event: 'sold' }],
])('a body with %s is refused', async (_what, body) => {
  const answer = await respondTo({ path: '/events', body }, recordingWireServices(sites))
  expect(answer.status).toBe(400)
  expect(responseJson(answer)).toHaveProperty('error')
})

test('hostile fields become nothing that counts', async () => {
  const { answer, event } = await view({
    hostname: 'acme.test',
    path: '//evil.example/%',
    metadata: '{"__proto__":{"admin":1},"a":{"b":[1]}}',
    type: 'pageview',
    query: '#?'.repeat(50),
    screen_width: 'wide',
  })
  expect(answer.status).toBe(200)
  expect(event?.properties['$current_url']).toMatch(/^https:\/\/acme\.test\//)
  expect(event?.properties).not.toHaveProperty('$screen_width')
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  const { services } = await view({ hostname: 'acme.test', type: 'constructor' })
  expect(services.events()).toEqual([])
})

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices(sites)
  services.outcome = 'full'
  expect((await view({ hostname: 'acme.test', path: '/' }, services)).answer).toMatchObject({ status: 503 })
})
