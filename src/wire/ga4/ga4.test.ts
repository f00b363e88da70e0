import { expect, test } from 'vitest'
import { recordingWireServices } from '#test/wire/trackers-fixture'
import { isTaken, respondTo, responseJson } from '#test/wire/vendor-recordings'

const sites = [{ names: ['G-ABC123'], hosts: ['shop.example'] }]
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0' }

/** The fields that gtag.js sends with each request. */
const common = {
  v: '2',
  tid: 'G-ABC123',
  gtm: '45je4a',
  _p: '1795337250',
  gcs: 'G111',
  cid: '1122.3344',
  ul: 'en-us',
  sr: '1280x720',
  _s: '1',
  sid: '1795337200',
  sct: '1',
  seg: '1',
  dl: 'https://shop.example/cart?utm_source=news',
  dr: 'https://news.example/',
  dt: 'Cart',
}

const tag = async (
  fields: Record<string, string>,
  { body, services = recordingWireServices(sites) }: { body?: string; services?: typeof wireServices } = {},
) => {
  const query = new URLSearchParams({ ...common, ...fields })
  const answer = await respondTo(
    { path: `/g/collect?${query}`, headers: browser, ...(body !== undefined && { body }) },
    services,
  )
  return { answer, services, events: services.events() }
}
const wireServices = recordingWireServices(sites)

test('a page view of the tag is understood', async () => {
  const { answer, events } = await tag({ en: 'page_view', _fv: '1', _ss: '1', _ee: '1', 'ep.plan': 'pro' })
  expect(answer.status).toBe(204)
  expect(events).toMatchObject([
    {
      name: '$pageview',
      distinctId: '1122.3344',
      hasPerson: false,
      identity: undefined,
      properties: {
        $current_url: 'https://shop.example/cart?utm_source=news',
        $referrer: 'https://news.example/',
        title: 'Cart',
        $screen: '1280x720',
        $browser_language: 'en-us',
        ad_storage: 'granted',
        analytics_storage: 'granted',
        plan: 'pro',
        $lib: 'ga4',
      },
    },
  ])
  expect(events[0]?.properties['$session_id']).toMatch(/^[\da-f-]{36}$/)
  expect(Object.keys(events[0]?.properties ?? {})).not.toContain('session_id')
})

test('each line of a batch is an event, and a repeated request has the same uuids', async () => {
  const body = 'en=scroll&epn.percent_scrolled=90&_et=5200\r\nen=user_engagement&_et=1500\nen=sign%20up\n'
  const first = await tag({}, { body })
  expect(first.events).toMatchObject([
    { name: 'scroll', properties: { $scroll_depth: 90, $engaged_ms: 5200, percent_scrolled: 90 } },
    { name: '$engagement', properties: { $engaged_ms: 1500 } },
    { name: 'sign up' },
  ])
  const uuids = first.events.map(({ uuid }) => uuid)
  expect(new Set(uuids).size).toBe(3)
  const second = await tag({}, { body })
  expect(second.events.map(({ uuid }) => uuid)).toEqual(uuids)
  expect((await tag({ _s: '2' }, { body })).events.map(({ uuid }) => uuid)).not.toEqual(uuids)
})

test('a purchase has its revenue and its items, a refund takes revenue back', async () => {
  const items = {
    pr1: 'idSKU1~nmShoe~brAcme~caShoes~pr9.5~qt2~k0color~v0red~zzignored',
    pr2: 'idSKU2~qtmany',
  }
  const sale = { cu: 'EUR', 'epn.value': '19', 'ep.transaction_id': 't1', ...items }
  const { events } = await tag({ en: 'purchase', ...sale })
  expect(events[0]).toMatchObject({
    name: 'purchase',
    properties: {
      $revenue: 19,
      $currency: 'EUR',
      transaction_id: 't1',
      items: [
        {
          item_id: 'SKU1',
          item_name: 'Shoe',
          item_brand: 'Acme',
          item_category: 'Shoes',
          price: 9.5,
          quantity: 2,
          color: 'red',
        },
        { item_id: 'SKU2', quantity: 'many' },
      ],
    },
  })
  expect((await tag({ en: 'refund', ...sale })).events[0]?.properties).toMatchObject({ $revenue: -19 })
  expect((await tag({ en: 'add_to_cart', ...sale })).events[0]?.properties).not.toHaveProperty('$revenue')
})

test('a person is named by the user id, with user properties', async () => {
  const { events } = await tag({ en: 'login', uid: 'ana', 'up.plan': 'pro', 'upn.seats': '3', 'up.old': '' })
  expect(events[0]).toMatchObject({
    distinctId: 'ana',
    hasPerson: true,
    identity: { kind: 'identify', anonymous: '1122.3344' },
    person: { set: { plan: 'pro', seats: 3 }, unset: ['old'] },
  })
})

test.each(['G100', 'G110'])('without consent to analytics (%s) no id is kept', async (gcs) => {
  const { events } = await tag({ en: 'page_view', gcs, uid: 'ana' })
  expect(events[0]).toMatchObject({
    distinctId: undefined,
    hasPerson: false,
    identity: undefined,
    properties: { analytics_storage: 'denied' },
  })
  expect(events[0]?.properties).not.toHaveProperty('$session_id')
})

test('clicks that lead away and downloads have Tilth’s names', async () => {
  const away = await tag({ en: 'click', 'ep.outbound': 'true', 'ep.link_url': 'https://out.example/' })
  const file = await tag({ en: 'file_download', 'ep.link_url': 'https://shop.example/a.pdf' })
  expect([away.events[0], file.events[0]]).toMatchObject([
    { name: '$outbound_click', properties: { url: 'https://out.example/' } },
    { name: '$file_download', properties: { url: 'https://shop.example/a.pdf' } },
  ])
})

test('the project is the one of the write key, the measurement id, or the page’s host', async () => {
  const services = recordingWireServices([
    { names: ['G-ONE'], hosts: ['one.example'] },
    { names: ['G-TWO'], hosts: ['two.example'] },
  ])
  await tag({ en: 'a', tid: 'G-ONE', 'ep.write_key': 'key-2' }, { services })
  await tag({ en: 'b', tid: 'G-ONE', dl: 'https://two.example/' }, { services })
  await tag({ en: 'c', tid: 'G-NONE', dl: 'https://two.example/' }, { services })
  expect(services.accepted.map(({ envelope }) => envelope.projectId)).toEqual([2, 1, 2])
  expect(services.events()[0]?.properties).not.toHaveProperty('write_key')
  const { answer } = await tag({ en: 'd', tid: 'G-NONE', dl: 'https://three.example/' }, { services })
  expect(answer.status).toBe(401)
  expect(services.refusals).toMatchObject([{ dialect: 'ga4', reason: 'unknown-key', named: 'G-NONE' }])
})

test('another form of the address belongs to the site', () => {
  expect(isTaken({ method: 'GET', path: '/g/collect?tid=UA-1&v=1' })).toBe(false)
  expect(isTaken({ method: 'GET', path: '/t/g/collect?v=2' })).toBe(true)
})

const collect = async (body: string | object, path = '/mp/collect?measurement_id=G-ABC123&api_secret=x') => {
  const services = recordingWireServices(sites)
  const answer = await respondTo({ path, body, headers: { 'user-agent': 'node' } }, services)
  return { answer, services, events: services.events() }
}

test('a server sends events by the Measurement Protocol', async () => {
  const { answer, events, services } = await collect({
    client_id: '1122.3344',
    user_id: 'ana',
    timestamp_micros: '1795337200000000',
    user_properties: { plan: { value: 'pro' }, old: { value: null } },
    user_agent: 'Mozilla/5.0',
    ip_override: '192.0.2.1',
    device: { operating_system: 'Android', screen_resolution: '1x2' },
    events: [
      {
        name: 'purchase',
        params: { value: 3, currency: 'EUR', session_id: '1795337100', engagement_time_msec: 100 },
      },
      { name: 'late', timestamp_micros: 1795337000000000 },
      null,
    ],
  })
  expect(answer).toMatchObject({ status: 204 })
  expect(services.accepted[0]?.envelope.fromServer).toBe(true)
  expect(events).toMatchObject([
    {
      name: 'purchase',
      distinctId: 'ana',
      timestamp: new Date(1_795_337_200_000),
      identity: { kind: 'identify', anonymous: '1122.3344' },
      person: { set: { plan: 'pro' }, unset: ['old'] },
      properties: {
        $revenue: 3,
        $currency: 'EUR',
        $engaged_ms: 100,
        $ip: '192.0.2.1',
        $raw_user_agent: 'Mozilla/5.0',
        $os: 'Android',
        $screen: '1x2',
      },
    },
    { name: 'late', timestamp: new Date(1_795_337_000_000) },
    { name: '' },
  ])
})

test('a server and a page in one session have the same session', async () => {
  const page = await tag({ en: 'page_view' })
  const body = { client_id: common.cid, events: [{ name: 'a', params: { session_id: common.sid } }] }
  const server = await collect(body)
  expect(server.events[0]?.properties['$session_id']).toBe(page.events[0]?.properties['$session_id'])
})

test.each(['/mp/collect?measurement_id=key-1', '/mp/collect?measurement_id=G-NONE&api_secret=key-1'])(
  'the write key may be in either place: %s',
  async (path) => {
    const { answer } = await collect({ client_id: 'a', events: [{ name: 'b' }] }, path)
    expect(answer.status).toBe(204)
  },
)

test.each([
  ['no JSON', '{', undefined, 400],
  ['no events', {}, undefined, 400],
  ['an unknown id', { events: [] }, '/mp/collect?measurement_id=G-NONE', 401],
  ['no id', { events: [] }, '/mp/collect', 401],
  ['too many', { events: Array.from({ length: 20_001 }, () => ({ name: 'a' })) }, undefined, 413],
])('a request with %s is refused', async (_what, body, path, status) => {
  const { answer } = await collect(body, path)
  expect(answer.status).toBe(status)
  expect(responseJson(answer)).toHaveProperty('validationMessages.0.description')
})

test('hostile fields become nothing that counts', async () => {
  const { answer, events } = await tag({
    en: 'constructor',
    'ep.__proto__': 'x',
    'epn.n': 'Infinity',
    pr1: '~~~',
    sid: '1e300',
    _et: '-5',
    'up.constructor': 'y',
  })
  expect(answer.status).toBe(204)
  expect(events[0]).toMatchObject({ name: 'constructor' })
  expect(events[0]?.properties).not.toHaveProperty('n')
  const { answer: other } = await collect({
    client_id: { a: 1 },
    user_properties: [1],
    device: 'x',
    events: [{ name: 7, params: 'x', timestamp_micros: 'x' }],
  })
  expect(other.status).toBe(204)
})

test('in passing trouble it is to be sent again', async () => {
  const services = recordingWireServices(sites)
  services.outcome = 'full'
  expect((await tag({ en: 'a' }, { services })).answer.status).toBe(503)
})
