import { expect, test } from 'vitest'
import { recordingWireServices } from '#test/wire/trackers-fixture'
import { replayRecording, respondTo, responseJson, vendorRequests } from '#test/wire/vendor-recordings'

const sites = [{ names: ['7', '1'] }]

test('matomo.js is understood', async () => {
  const services = recordingWireServices(sites)
  const answers = await replayRecording(vendorRequests('matomo', 'matomo-js-01.json', {}), services)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  const common = {
    distinctId: 'u1',
    hasPerson: true,
    identity: { kind: 'identify', anonymous: '2a9a937f3b559796' },
  }
  const page = {
    $current_url: 'http://127.0.0.1:37321/?utm_source=news&utm_campaign=c1',
    dimension1: 'gold',
    $screen: '1280x720',
    $lib: 'matomo',
  }
  expect(services.events()).toMatchObject([
    { ...common, name: '$pageview', properties: { ...page, title: 'T' } },
    { ...common, name: 'Play', properties: { ...page, category: 'Video', label: 'intro', value: 3.5 } },
    { ...common, name: 'Goal 2', properties: { $revenue: 9.5 } },
    { ...common, name: 'Site search', properties: { search: 'term', category: 'cat', results: '4' } },
    {
      ...common,
      name: 'purchase',
      properties: {
        order: 'o1',
        $revenue: 20,
        items: [{ sku: 'sku1', name: 'Shoe', category: 'Shoes', price: 10, quantity: 2 }],
      },
    },
    { ...common, name: '$file_download', properties: { url: 'http://out.example.test/f.zip' } },
  ])
  const uuids = services.events().map(({ uuid }) => uuid)
  expect(new Set(uuids).size).toBe(uuids.length)
})

test('a server’s client and its bulk requests are understood', async () => {
  const services = recordingWireServices(sites)
  const answers = await replayRecording(vendorRequests('matomo', 'matomo-tracker-node.json', {}), services)
  expect(answers).toMatchObject([{ status: 200, headers: { 'content-type': 'image/gif' } }, { status: 200 }])
  expect(responseJson(answers[1] ?? { status: 0 })).toEqual({ status: 'success', tracked: 2, invalid: 0 })
  expect(services.accepted.every(({ envelope }) => envelope.fromServer)).toBe(true)
  expect(services.events()).toMatchObject([
    // the token of the request is not the project's secret
    { name: '$pageview', distinctId: 'u1', timestamp: undefined },
    { name: '$pageview', properties: { $current_url: 'https://x/a' } },
    { name: 'act', properties: { category: 'cat' } },
  ])
})

const get = (query: string, services = recordingWireServices(sites)) =>
  respondTo(
    { method: 'GET', path: `/piwik.php?${query}`, headers: { 'user-agent': 'Mozilla/5.0' } },
    services,
  ).then((answer) => ({ answer, services }))

test('with the project’s secret a request may name another time and address', async () => {
  const query = 'idsite=7&rec=1&url=https://x/&cdt=2020-01-02%2003:04:05&cip=192.0.2.1&ua=M'
  const { services } = await get(`${query}&token_auth=secret-1`)
  expect(services.accepted[0]).toMatchObject({
    envelope: { isHistorical: true, fromServer: true },
    events: [{ timestamp: new Date('2020-01-02T03:04:05Z'), properties: { $ip: '192.0.2.1' } }],
  })
  const without = await get(`${query}&token_auth=other`)
  expect(without.services.accepted[0]).toMatchObject({ envelope: { isHistorical: false, fromServer: false } })
  expect(without.services.events()[0]?.properties).not.toHaveProperty('$ip')
})

test('a request that is sent again has the same uuid', async () => {
  const query = 'idsite=7&rec=1&url=https://x/&_id=2a9a937f3b559796&r=966258&h=8&m=44&s=59'
  const uuids = [await get(query), await get(query), await get(`${query}&e_c=a&e_a=b`)].map(
    ({ services }) => services.events()[0]?.uuid,
  )
  expect(uuids[0]).toBe(uuids[1])
  expect(uuids[2]).not.toBe(uuids[0])
})

test('the site may be named by the key, or by the page’s host', async () => {
  const services = recordingWireServices([{ hosts: ['a.example'] }, { hosts: ['b.example'] }])
  await get('idsite=key-2&rec=1&url=https://nowhere.example/', services)
  await get('idsite=99&rec=1&url=https://a.example/', services)
  const { answer } = await get('idsite=99&rec=1&url=https://c.example/', services)
  expect(services.accepted.map(({ envelope }) => envelope.projectId)).toEqual([2, 1])
  expect(answer.status).toBe(400)
  expect(services.refusals).toMatchObject([{ dialect: 'matomo', reason: 'unknown-key', named: '99' }])
})

test('carts, custom variables and links are understood', async () => {
  const cvar = encodeURIComponent(JSON.stringify({ 1: ['plan', 'pro'], 2: 'none' }))
  const { services } = await get(`idsite=7&idgoal=0&revenue=5&ec_items=[]&cvar=${cvar}`)
  await get('idsite=7&link=https://out.example/', services)
  await get('idsite=7&c_n=Ad&c_p=x.png', services)
  expect(services.events()).toMatchObject([
    { name: 'Cart updated', properties: { cart_total: 5, plan: 'pro', items: [] } },
    { name: '$outbound_click', properties: { url: 'https://out.example/' } },
    { name: 'Content impression', properties: { content: 'Ad', piece: 'x.png' } },
  ])
  expect(services.events()[0]?.properties).not.toHaveProperty('$revenue')
})

test.each([
  ['no list', {}, 400],
  ['no JSON', '{', 400],
  ['too many', { requests: Array.from({ length: 20_001 }, () => '?idsite=7') }, 413],
])('a bulk of %s is refused', async (_what, body, status) => {
  const services = recordingWireServices(sites)
  expect(await respondTo({ path: '/matomo.php', body }, services)).toMatchObject({ status })
  expect(services.refusals).toMatchObject([{ dialect: 'matomo' }])
})

test('of a bulk, what is invalid is counted and the rest is kept', async () => {
  const services = recordingWireServices([{ names: ['7'], hosts: [] }])
  const body = { requests: ['?idsite=7&url=https://x/', 7, '?idsite=8'] }
  const answer = await respondTo({ path: '/matomo.php', body }, services)
  expect(responseJson(answer)).toEqual({ status: 'success', tracked: 1, invalid: 2 })
})

test('hostile fields become nothing that counts', async () => {
  const bad = encodeURIComponent('{"__proto__":["admin",1],"1":[["a"],2]}')
  const { services, answer } = await get(`idsite=7&url=javascript:1&cvar=${bad}&ec_items={&idgoal=0&e_v=NaN`)
  expect(answer.status).toBe(200)
  expect(services.events()).toHaveLength(1)
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
})

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices(sites)
  services.outcome = 'full'
  expect((await get('idsite=7&rec=1&url=https://x/', services)).answer).toMatchObject({ status: 503 })
})
