import { expect, test } from 'vitest'
import { recordingWireServices } from '#test/wire/trackers-fixture'
import { isTaken, replayRecording, respondTo, vendorRequests } from '#test/wire/vendor-recordings'

const origin = 'https://shop.example'
const headers = { referer: `${origin}/` }

test('count.js is understood', async () => {
  const services = recordingWireServices()
  const answers = await replayRecording(vendorRequests('goatcounter', 'goatcounter-01.json', {}), services)
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(services.events()).toMatchObject([
    {
      name: '$pageview',
      distinctId: undefined,
      hasPerson: false,
      properties: { title: 'T', $screen_width: 1280, $lib: 'goatcounter' },
    },
    { name: 'signed-up', properties: { $referrer: 'https://r.example/', title: 'S' } },
    { name: 'clicked', properties: { title: 'c' } },
  ])
  expect(services.events()[0]?.properties['$current_url']).toMatch(/\/\?utm_source=news&utm_campaign=c1$/)
})

test('the project is the one of the key in the address, or of the page', async () => {
  const services = recordingWireServices([{ hosts: ['shop.example'] }, { hosts: ['other.example'] }])
  await respondTo({ path: '/count?p=/a', headers }, services)
  await respondTo({ path: '/stats/count/key-2?p=/b&q=x%3D1', headers }, services)
  expect(services.accepted.map(({ envelope }) => envelope.projectId)).toEqual([1, 2])
  expect(services.events().map(({ properties }) => properties['$current_url'])).toEqual([
    `${origin}/a`,
    `${origin}/b?x=1`,
  ])
})

test('a page that asks for a picture gets one', async () => {
  const answer = await respondTo({ method: 'GET', path: '/count?p=/', headers }, recordingWireServices())
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'image/gif' } })
})

test('without a path it is a page of the site', () => {
  expect(isTaken({ method: 'GET', path: '/count' })).toBe(false)
  expect(isTaken({ method: 'GET', path: '/count?p=/' })).toBe(true)
})

test.each([
  ['a key that is none', '/count/nobody?p=/', 'unknown-key'],
  ['no page and no key', '/count?p=/', 'no-key'],
])('%s is refused', async (_what, path, reason) => {
  const services = recordingWireServices([{ hosts: ['shop.example'] }])
  expect(await respondTo({ path }, services)).toMatchObject({ status: 400 })
  expect(services.refusals).toMatchObject([{ dialect: 'goatcounter', reason }])
})

const bearer = { authorization: 'Bearer key-1' }

test('a server sends hits for its visitors', async () => {
  const services = recordingWireServices()
  const hits = [
    {
      path: '/a',
      query: 'b=1',
      host: 'shop.example',
      ref: 'https://r.example',
      ip: '192.0.2.1',
      user_agent: 'M',
    },
    { path: 'sold', event: true, created_at: '2026-01-02T03:04:05Z', size: [1280, 720, 1] },
    { path: '/alone' },
    null,
  ]
  const answer = await respondTo({ path: '/api/v0/count', headers: bearer, body: { hits } }, services)
  expect(answer.status).toBe(202)
  expect(services.accepted[0]?.envelope.fromServer).toBe(true)
  expect(services.events()).toMatchObject([
    {
      name: '$pageview',
      properties: { $current_url: 'https://shop.example/a?b=1', $ip: '192.0.2.1', $raw_user_agent: 'M' },
    },
    { name: 'sold', timestamp: new Date('2026-01-02T03:04:05Z'), properties: { $screen_width: 1280 } },
    { name: '$pageview', properties: { $pathname: '/alone' } },
    { name: '' },
  ])
})

test.each([
  ['no key', {}, { hits: [] }, 401],
  ['no hits', bearer, {}, 400],
  ['no JSON', bearer, '{', 400],
])('hits with %s are refused', async (_what, sent, body, status) =>
  expect(
    await respondTo({ path: '/api/v0/count', headers: sent, body }, recordingWireServices()),
  ).toMatchObject({
    status,
  }),
)

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices()
  services.outcome = 'full'
  expect(await respondTo({ path: '/count?p=/', headers }, services)).toMatchObject({ status: 503 })
})
