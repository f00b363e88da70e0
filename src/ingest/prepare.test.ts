import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import hostile from '#test/vectors/ingest-hostile.json'
import {
  anIngestContext,
  anEnvelope,
  anEvent,
  aSetWorld,
  berlin,
  chrome,
  expectDropped,
  expectKept,
  noon,
  withProperties,
} from '#test/product/ingest-fixture'
import type { Envelope, IncomingEvent, Json, PreparedEvent, Properties } from '#events/event'
import { runs } from '#test/random/chance'
import { Counts, trafficOf } from './counts'
import { prepare } from './prepare'
import { isUuid, newUuid } from './uuid'

async function prepared(
  event: Partial<IncomingEvent>,
  envelope: Partial<Envelope> = {},
): Promise<PreparedEvent> {
  return expectKept(anEvent(event), anEnvelope(envelope), await anIngestContext())
}

const columnsOf = async (properties: Properties, envelope: Partial<Envelope> = {}) =>
  (await prepared({ properties }, envelope)).columns

describe('invalid events', () => {
  test.each([
    ['without a name', { name: '' }, 'no-name'],
    ['with a name of blanks', { name: '  ' }, 'no-name'],
    ['of nobody', { distinctId: ' ' }, 'no-distinct-id'],
    ['a recording', { name: '$snapshot' }, 'replay'],
    ['of more than a megabyte', { properties: { a: 'x'.repeat(1_048_577) } }, 'too-large'],
    ['of more than a megabyte in UTF-8', { properties: { a: '字'.repeat(400_000) } }, 'too-large'],
    [
      'with a person of more than a megabyte',
      { person: { set: { a: 'x'.repeat(1_048_577) }, setOnce: {}, unset: [], add: {} } },
      'too-large',
    ],
    [
      'with a person of 900 kB, sent among the properties',
      {
        properties: { $set: { a: 'x'.repeat(900_000) } },
        person: { set: { a: 'x'.repeat(900_000) }, setOnce: {}, unset: [], add: {} },
      },
      undefined,
    ],
    ['of less than a megabyte', { properties: { a: 'x'.repeat(1_000_000) } }, undefined],
  ])('%s', async (_name, changes, reason) => {
    expect(expectDropped(anEvent(changes), anEnvelope(), await anIngestContext())).toBe(reason)
  })

  test.each([
    ['right', 0, true],
    ['hours ahead', 5, true],
    ['hours behind', -5, true],
    ['right, and the session is of the day before yesterday', 0, false],
  ])('the session of a client whose clock is %s', async (_what, hours, isKept) => {
    const clock = Date.parse(noon) + hours * 3_600_000
    const start = clock - (isKept ? 60_000 : 49 * 3_600_000)
    const $session_id = newUuid(aSetWorld(), start)
    const { sessionId, at } = await prepared(
      { timestamp: new Date(clock - 1000), properties: { $session_id } },
      { sentAt: new Date(clock) },
    )
    expect(at).toEqual(new Date(Date.parse(noon) - 1000))
    expect(sessionId === $session_id).toBe(isKept)
  })

  test('what is dropped is named, with its uuid', async () => {
    const uuid = '01890A5D-AC96-774B-BCCE-B302099A8058'
    const answer = prepare(anEvent({ uuid, name: '$snapshot' }), anEnvelope(), await anIngestContext())
    expect(answer).toEqual({ kept: false, uuid: uuid.toLowerCase(), name: '$snapshot', reason: 'replay' })
  })
})

/** The events of a hostile request, as its dialect hands them over. */
interface Body {
  event?: string
  distinct_id?: unknown
  properties?: unknown
  uuid?: string
  offset?: number
  timestamp?: string
}

const generated = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('gen' in value)) return value
  const { gen, s, n } = value as { gen: string; s?: string; n?: number }
  if (gen === 'repeat') return s?.repeat(n ?? 0)
  return gen === 'keys' ? Object.fromEntries(Array.from({ length: n ?? 0 }, (_, i) => [`k${i}`, i])) : value
}

function bodyOf(id: string): Body {
  const body: unknown = hostile.cases.find((one) => one.id === id)?.body
  if (typeof body !== 'object' || body === null) throw new Error(`No hostile case "${id}".`)
  return 'raw' in body ? (JSON.parse(String(body.raw)) as Body) : body
}

function hostileEvent(id: string): IncomingEvent {
  const { event, distinct_id, properties, uuid, offset, timestamp } = bodyOf(id)
  return anEvent({
    name: String(generated(event)),
    distinctId: String(generated(distinct_id)),
    properties: (generated(properties) ?? {}) as Properties,
    uuid,
    ageMs: offset,
    timestamp: timestamp === undefined ? undefined : new Date(timestamp),
  })
}

describe('hostile requests', () => {
  const keptOf = async (id: string) => expectKept(hostileEvent(id), anEnvelope(), await anIngestContext())

  test('a long id is cut to 200 characters, one of 197 is not', async () => {
    expect((await keptOf('long-distinct-id')).distinctId).toBe('a'.repeat(200))
    expect((await prepared({ distinctId: 'b'.repeat(197) })).distinctId).toHaveLength(197)
  })

  test('a long name is cut to 200 characters', async () => {
    expect((await keptOf('long-event-name')).name).toBe('x'.repeat(200))
  })

  test('a NUL and half a character are replaced, whole ones are kept', async () => {
    expect((await keptOf('nul-in-event')).name).toBe('a�b')
    expect((await keptOf('lone-surrogate')).name).toBe('x�y')
    const emoji = await keptOf('emoji')
    expect(emoji).toMatchObject({ name: '😀 sign up', properties: { '🔑': '👨‍👩‍👧', rtl: '‮abc' } })
  })

  test('inside keys and nested values, too', async () => {
    const { properties, person, groups } = await prepared({
      properties: { 'a\0b': 'c\0', nested: { 'd\ud800': ['e\0'] } },
      person: { set: { 'f\0': '\udc00' }, setOnce: {}, unset: ['g\0'], add: {} },
      groups: { 'h\0': 'i\ud800' },
    })
    expect(properties).toEqual({ 'a�b': 'c�', nested: '{"d�":["e�"]}' })
    expect(person).toMatchObject({ set: { 'f�': '�' }, unset: ['g�'] })
    expect(groups).toEqual({ 'h�': 'i�' })
  })

  test('of 100,000 properties the first thousand are kept', async () => {
    const wide = hostileEvent('wide-props')
    const { properties } = await prepared({ properties: wide.properties })
    expect(Object.keys(properties)).toEqual(Object.keys(wide.properties).slice(0, 1000))
  })

  test('a thousand properties of one’s own leave room for the standard ones', async () => {
    const own = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`own_${n}`, n]))
    const { properties, columns } = await prepared({
      properties: { ...own, $current_url: 'https://example.com/last' },
    })
    expect(properties).toHaveProperty('own_999', '999')
    expect(columns.path).toBe('/last')
  })

  test('what is said of a person in 100,000 words is cut as well', async () => {
    const { properties: set } = hostileEvent('wide-props')
    const { person } = await prepared({ person: { set, setOnce: set, unset: [], add: {} } })
    expect(Object.keys(person.set)).toHaveLength(1000)
    expect(Object.keys(person.setOnce)).toHaveLength(1000)
  })

  test.each(['proto-__proto__', 'proto-prototype', 'proto-hasOwnProperty'])(
    '%s changes nothing but the event',
    async (id) => {
      const { properties } = await keptOf(id)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
      expect(Object.getPrototypeOf(properties)).toBe(Object.prototype)
      expect(Object.keys(properties)).toContain('constructor')
      expect(Object.keys(properties)).not.toContain('__proto__')
    },
  )

  test('html is text like any other, and a script is no address', async () => {
    const { name, columns, properties } = await keptOf('html-in-everything')
    expect(name).toBe('<img src=x onerror=alert(1)>')
    expect(columns.browser).toBe('<svg onload=alert(1)>')
    expect(columns.host).toBeUndefined()
    expect(columns.referrer).toMatch(/^https:\/\/x\//)
    expect(JSON.stringify(properties)).not.toContain('javascript:')
  })

  test('its time says nothing that is not true', async () => {
    expect((await keptOf('ts-future')).at.toISOString()).toBe(noon)
    expect((await keptOf('ts-pre-epoch')).at.toISOString()).toBe(noon)
    expect((await keptOf('offset-field')).at.toISOString()).toBe('2026-03-02T11:59:00.000Z')
  })

  test('nesting has a bottom', async () => {
    const deep: Json = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    const { properties } = await prepared({
      properties: { deep, dirty: JSON.parse(`${'[1,'.repeat(500)}"\\u0000"${']'.repeat(500)}`) },
    })
    expect(properties['deep']).toMatch(/^\[+"…"\]+$/)
    expect(properties['dirty']).toContain('…')
  })

  test('nesting has a bottom where an event has no uuid and a time of its own, too', async () => {
    const deep: Json = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    const at = new Date(Date.parse(noon) + 1)
    const { uuid, properties } = await prepared({ uuid: undefined, timestamp: at, properties: { deep } })
    expect(isUuid(uuid)).toBe(true)
    expect(properties['deep']).toMatch(/^\[+"…"\]+$/)
  })
})

describe('uuids', () => {
  test.each([undefined, '', 'x', '00000000-0000-0000-0000-000000000000'])(
    '%o is replaced by a new one',
    async (uuid) => {
      const context = await anIngestContext()
      const [one, other] = [1, 2].map(() => expectKept(anEvent({ uuid }), anEnvelope(), context).uuid)
      expect(isUuid(one ?? '')).toBe(true)
      expect(one).not.toBe(other)
    },
  )

  test.each([
    // the fields of the event besides its name      the same for a second copy
    [{ properties: { $insert_id: '6maodvg96ymnondh' } }, true],
    [{ timestamp: new Date('2026-03-02T11:59:59.250Z') }, true],
    [{ timestamp: new Date('2026-03-02T11:59:59.250Z'), uuid: 'no uuid' }, true],
    // several clicks within a second are several events
    [{ timestamp: new Date('2026-03-02T11:59:59.000Z') }, false],
    [{ timestamp: new Date(Number.NaN) }, false],
    [{ properties: { $insert_id: '' } }, false],
    [{ ageMs: 250 }, false],
  ])('of two copies without an id, %o, it is the same: %s', async (event, isSame) => {
    const [one, other] = await Promise.all([prepared(event), prepared(event)])
    const context = await anIngestContext()
    const [first, second] = [1, 2].map(() => expectKept(anEvent(event), anEnvelope(), context).uuid)
    expect(first === second).toBe(isSame)
    if (isSame) expect(one.uuid).toBe(other.uuid)
  })

  test.each([
    ['name', { name: 'bought' }, {}],
    ['visitor', { distinctId: 'ben' }, {}],
    ['time', { timestamp: new Date('2026-03-02T11:59:59.251Z') }, {}],
    ['property', { properties: { plan: 'pro' } }, {}],
    ['project', {}, { projectId: 2 }],
  ])('an event of another %s is another event', async (_what, changes, envelope) => {
    const event = { timestamp: new Date('2026-03-02T11:59:59.250Z') }
    expect((await prepared({ ...event, ...changes }, envelope)).uuid).not.toBe((await prepared(event)).uuid)
  })

  test('a client’s own is kept, in lower case', async () => {
    expect((await prepared({ uuid: '01890A5D-AC96-774B-BCCE-B302099A8058' })).uuid).toBe(
      '01890a5d-ac96-774b-bcce-b302099a8058',
    )
  })
})

describe('pages', () => {
  const url =
    'https://Example.com/Pricing?utm_source=News&utm_medium=email&utm_campaign=null&gclid=g1&email=a@b.co&q=1#top'

  test('the address, the campaign and the click, and no more', async () => {
    const { columns, properties } = await prepared({ properties: { $current_url: url, title: 'Pricing' } })
    expect(columns).toMatchObject({
      host: 'example.com',
      path: '/Pricing',
      title: 'Pricing',
      utm_source: 'News',
      utm_medium: 'email',
      click_id: 'gclid',
      source: 'News',
      channel: 'Paid Search',
    })
    expect(columns.utm_campaign).toBeUndefined()
    expect(properties).toEqual({
      $current_url: 'https://example.com/Pricing?utm_source=News&utm_medium=email&utm_campaign=null&q=1',
    })
  })

  test('what posthog-js says beside the address', async () => {
    const columns = await columnsOf({
      $current_url: 'https://example.com/',
      utm_source: 'x',
      utm_medium: null,
      gclid: 'g1',
      fbclid: null,
    })
    expect(columns).toMatchObject({ utm_source: 'x', click_id: 'gclid' })
    expect(columns.utm_medium).toBeUndefined()
  })

  test('the kind of a click in any case, and the channel by the project’s table', async () => {
    const properties = { $current_url: 'https://example.com/?ScCid=1', $referrer: '$direct' }
    expect(await columnsOf(properties)).toMatchObject({ click_id: 'sccid', channel: 'Paid Social' })
    const context = await anIngestContext(aSetWorld(), { channels: 'posthog' })
    const { columns } = expectKept(withProperties(properties), anEnvelope(), context)
    expect(columns).toMatchObject({ click_id: 'sccid', source: 'Snapchat', channel: 'Direct' })
  })

  test('what an encoded query hides is as tidy as all else', async () => {
    const { utm_source } = await columnsOf({ $current_url: 'https://example.com/?utm_source=a%00b%ff' })
    expect(utm_source).toBe('a\uFFFDb\uFFFD')
  })

  test('a host that is longer than any is none', async () => {
    const $current_url = `https://${'a.'.repeat(100_000)}example/`
    const { host, referrer_host } = await columnsOf({ $current_url, $referrer: $current_url })
    expect({ host, referrer_host }).toEqual({ host: undefined, referrer_host: undefined })
  })

  test('host and path without an address', async () => {
    expect(await columnsOf({ $host: 'Example.com', $pathname: '/a?token=x' })).toMatchObject({
      host: 'example.com',
      path: '/a',
    })
  })

  test.each([
    [
      'https://www.google.com/search?q=x',
      {
        referrer: 'https://www.google.com/search',
        referrer_host: 'www.google.com',
        source: 'Google',
        channel: 'Organic Search',
      },
    ],
    ['https://docs.example.com/a?b=c', { referrer: 'https://docs.example.com/a', channel: 'Direct' }],
    ['$direct', { channel: 'Direct' }],
    [
      'https://chatgpt.com/',
      {
        source: 'ChatGPT',
        channel: 'AI Assistants',
        referrer: 'https://chatgpt.com/',
        referrer_host: 'chatgpt.com',
      },
    ],
  ])('from %s', async ($referrer, expected) => {
    const { referrer, referrer_host, source, channel } = await columnsOf({
      $current_url: 'https://example.com/',
      $referrer,
    })
    expect({ referrer, referrer_host, source, channel }).toEqual(expected)
  })

  test('what no page tells anything about has no channel', async () => {
    expect((await columnsOf({ total: 12 }, { fromServer: true })).channel).toBeUndefined()
  })

  test('referrer spam is dropped, unless the project wants it', async () => {
    const spam = withProperties({
      $current_url: 'https://example.com/',
      $referrer: 'https://best.semalt.com/x',
    })
    expect(expectDropped(spam, anEnvelope(), await anIngestContext())).toBe('spam-referrer')
    expect(
      expectDropped(spam, anEnvelope(), await anIngestContext(undefined, { spamReferrers: 'keep' })),
    ).toBeUndefined()
    const honest = withProperties({
      $current_url: 'https://example.com/',
      $referrer: 'https://notsemalt.com.example.org/',
    })
    expect(expectDropped(honest, anEnvelope(), await anIngestContext())).toBeUndefined()
  })
})

describe('who it was', () => {
  const gptBot =
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.1; +https://openai.com/gptbot)'
  const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

  test.each([
    ['a browser', {}, {}, 'human'],
    ['an AI crawler', {}, { userAgent: gptBot }, 'ai'],
    ['a crawler', {}, { userAgent: googlebot }, 'bot'],
    ['a feed reader', {}, { userAgent: 'Feedly/1.0 (+http://www.feedly.com/fetcher.html)' }, 'feed'],
    ['a server for a visitor', {}, { fromServer: true, userAgent: 'python-requests/2.31.0' }, 'human'],
    [
      'a server for a crawler',
      { properties: { $raw_user_agent: gptBot } },
      { fromServer: true, userAgent: 'posthog-node/5.70.0' },
      'ai',
    ],
    ['a program that names a visitor', {}, { userAgent: 'node' }, 'human'],
    ['a program that names nobody', { distinctId: undefined }, { userAgent: 'curl/8.5.0' }, 'bot'],
    ['nobody at all', { distinctId: undefined }, { userAgent: '' }, 'bot'],
    ['one of our SDKs', {}, { userAgent: 'posthog-ios/3.19.0' }, 'human'],
  ])('%s', async (_name, event, envelope, traffic) => {
    expect((await prepared(event, envelope)).columns.traffic).toBe(traffic)
  })

  test('robots are kept as what they are, unless the project drops them', async () => {
    const context = await anIngestContext(undefined, { dropTraffic: ['ai'] })
    expect(expectDropped(anEvent(), anEnvelope({ userAgent: gptBot }), context)).toBe('bot')
    expect(expectDropped(anEvent(), anEnvelope({ userAgent: googlebot }), context)).toBeUndefined()
  })

  test('browser, system and device, by the words of the SDK or by the user agent', async () => {
    expect(await columnsOf({})).toMatchObject({
      browser: 'Chrome',
      browser_version: '140',
      os: 'Windows',
      os_version: '10',
      device: 'Desktop',
    })
    const iPad = {
      $browser: 'Mobile Safari',
      $browser_version: 17.4,
      $os: 'iOS',
      $os_version: '17.4.1',
      $device_type: 'Tablet',
    }
    expect(await columnsOf(iPad)).toMatchObject({
      browser: 'Mobile Safari',
      browser_version: '17',
      os: 'iOS',
      os_version: '17',
      device: 'Tablet',
    })
  })

  test('a server’s own system does not count as a device', async () => {
    const columns = await columnsOf(
      { $os: 'Linux', $os_version: '6.1' },
      { fromServer: true, userAgent: 'posthog-python/3.8' },
    )
    expect(columns.os).toBeUndefined()
  })

  test('screen, language and library', async () => {
    expect(
      await columnsOf(
        { $screen_width: 1280, $screen_height: 720, $lib: 'web', $lib_version: '1.449.2' },
        { language: 'de-at,de;q=0.9,en;q=0.8' },
      ),
    ).toMatchObject({
      screen: '1280x720',
      language: 'de-AT',
      lib: 'web',
      lib_version: '1.449.2',
    })
    expect(
      await columnsOf({ $browser_language: 'en-us', $screen_width: -1 }, { language: 'de' }),
    ).toMatchObject({ language: 'en-US', lib: 'posthog' })
  })

  test.each([
    ['a browser', {}, {}, berlin],
    ['an SDK that wants no place', { $geoip_disable: true }, {}, undefined],
    [
      'a server that names the visitor’s address',
      { $ip: '198.51.100.23' },
      { fromServer: true, address: '192.0.2.1' },
      berlin,
    ],
    ['a server that names nobody', {}, { fromServer: true }, undefined],
    ['a browser that claims another address', { $ip: '198.51.100.23' }, { address: '192.0.2.1' }, undefined],
    ['an IPv4 address in IPv6 clothes', {}, { address: '::ffff:198.51.100.23' }, berlin],
    [
      'an export that knows the place',
      { $geoip_country_code: 'de', $geoip_subdivision_1_name: 'Berlin', $geoip_city_name: 'Berlin' },
      { isHistorical: true, address: '192.0.2.1' },
      berlin,
    ],
    ['a browser that claims a place', { $geoip_country_code: 'FR' }, { address: '192.0.2.1' }, undefined],
  ])('the place of %s', async (_name, properties, envelope, place) => {
    const { country, region, city } = await columnsOf(properties, envelope)
    expect(country === undefined ? undefined : { country, region, city }).toEqual(place)
  })
})

describe('visitors without an id', () => {
  const nameless = { distinctId: undefined }

  test.each([
    ['no id', nameless],
    ['PostHog’s sentinel', { distinctId: '$posthog_cookieless' }],
    ['PostHog’s mode', { properties: { $cookieless_mode: true } }],
  ])('%s', async (_name, event) => {
    const { distinctId, isCookieless, hasPerson } = await prepared(event)
    expect(distinctId).toMatch(/^cookieless_/)
    expect({ isCookieless, hasPerson }).toEqual({ isCookieless: true, hasPerson: false })
  })

  test('are one on all hosts of a site, and another one on another site or the next day', async () => {
    const world = aSetWorld()
    const context = await anIngestContext(world)
    const idOn = (url: string, envelope: Partial<Envelope> = {}) =>
      expectKept(anEvent({ ...nameless, properties: { $current_url: url } }), anEnvelope(envelope), context)
        .distinctId
    const first = idOn('https://example.com/')
    expect(idOn('https://shop.example.com/cart')).toBe(first)
    expect(idOn('https://example.org/')).not.toBe(first)
    expect(idOn('https://example.com/', { address: '192.0.2.1' })).not.toBe(first)
    expect(idOn('https://example.com/', { userAgent: 'Firefox' })).not.toBe(first)
    world.set('2026-03-03T12:00:00Z')
    expect(idOn('https://example.com/')).not.toBe(first)
  })

  test('no person is made of their properties', async () => {
    const { person, identity } = await prepared({
      ...nameless,
      identity: { kind: 'alias', alias: 'ana' },
      person: { set: { email: 'a@b.co' }, setOnce: { b: 1 }, unset: ['c'], add: { d: 1 } },
    })
    expect({ person, identity }).toEqual({
      person: { set: {}, setOnce: {}, unset: [], add: {} },
      identity: undefined,
    })
  })

  test.each([
    ['ignore', { distinctId: 'ana' }],
    ['cookieless', { distinctId: expect.stringMatching(/^cookieless_/), hasPerson: false }],
  ] as const)('DNT and GPC where the project says "%s"', async (optOut, expected) => {
    const context = await anIngestContext(undefined, { optOut })
    expect(expectKept(anEvent(), anEnvelope({ optedOut: true }), context)).toMatchObject(expected)
  })

  test('DNT and GPC where the project drops', async () => {
    const context = await anIngestContext(undefined, { optOut: 'drop' })
    expect(expectDropped(anEvent(), anEnvelope({ optedOut: true }), context)).toBe('opted-out')
    expect(expectDropped(anEvent(), anEnvelope(), context)).toBeUndefined()
  })

  test('a person that a tracker without cookies identifies stays one person, in one session', async () => {
    const context = await anIngestContext()
    const before = expectKept(anEvent({ ...nameless, hasPerson: false }), anEnvelope(), context)
    const identified = anEvent({ name: '$identify', distinctId: 'u1', identifiesVisitor: true })
    const identify = expectKept(identified, anEnvelope(), context)
    expect(identify).toMatchObject({
      distinctId: 'u1',
      identity: { kind: 'identify', anonymous: before.distinctId },
      sessionId: before.sessionId,
    })
  })

  test.each([
    ['an opted-out visitor', { optedOut: true }],
    ['a visitor of a server that names no address', { fromServer: true }],
  ])('%s is not linked to what was counted before', async (_who, envelope) => {
    const identified = { name: '$identify', distinctId: 'u1', identifiesVisitor: true } as const
    expect((await prepared(identified, envelope)).identity).toBeUndefined()
  })

  test('an opted-out visitor keeps no id of a session or a device', async () => {
    const $session_id = '019cae4a-1a00-7000-8000-000000000000'
    const { sessionId, properties } = await prepared(
      { properties: { $session_id, $device_id: 'd1', $window_id: 'w1', plan: 'pro' } },
      { optedOut: true },
    )
    expect(sessionId).not.toBe($session_id)
    expect(properties).toEqual({ plan: 'pro' })
  })
})

describe('numbers', () => {
  test.each([
    [
      { $revenue: '12.50', $currency: 'eur' },
      { revenue: 12.5, currency: 'EUR' },
    ],
    [
      { revenue: 3, currency: 'usd' },
      { revenue: 3, currency: 'USD' },
    ],
    [{ $revenue: 5, $currency: 'dollars' }, { revenue: 5 }],
    [
      { $revenue: -5, $currency: 'EUR' },
      { revenue: -5, currency: 'EUR' },
    ],
    [{ $revenue: 1e13 }, {}],
    [{ $revenue: 'much' }, {}],
    [{ $currency: 'EUR' }, {}],
    [
      { $engaged_ms: 1234.6, $scroll_depth: 24 },
      { engaged_ms: 1235, scroll_depth: 24 },
    ],
    [
      { $prev_pageview_duration: 2.5, $prev_pageview_max_content_percentage: 0.834 },
      { engaged_ms: 2500, scroll_depth: 83 },
    ],
    [
      { $scroll_depth: 130, $engaged_ms: 1e12 },
      { scroll_depth: 100, engaged_ms: 86_400_000 },
    ],
    [{ $scroll_depth: -1, $engaged_ms: -1 }, {}],
  ])('%o', async (properties, expected) => {
    const { revenue, currency, engaged_ms, scroll_depth } = await columnsOf(properties)
    const found = Object.entries({ revenue, currency, engaged_ms, scroll_depth }).filter(
      ([, value]) => value !== undefined,
    )
    expect(Object.fromEntries(found)).toEqual(expected)
  })
})

describe('properties', () => {
  test.each([
    ['text', 'text'],
    ['', ''],
    [12.5, '12.5'],
    [1_700_000_000_000, '1700000000000'],
    [true, 'true'],
    [false, 'false'],
    [{ a: [1, 'x', null] }, '{"a":[1,"x",null]}'],
    [[1, 2], '[1,2]'],
    [null, undefined],
    [Number.NaN, undefined],
  ])('%o is kept as %o', async (value, text) => {
    expect((await prepared({ properties: { value } })).properties).toEqual(
      text === undefined ? {} : { value: text },
    )
  })

  test.each([
    // properties that stay out of what is stored
    [
      {
        $ip: '192.0.2.9',
        $raw_user_agent: 'x',
        $initial_raw_user_agent: 'x',
        $geoip_latitude: 1,
        gclid: 'g1',
        $session_entry_gclid: 'g1',
      },
      {},
    ],
    // in a column, elsewhere in the event, or of no use
    [
      {
        $browser: 'Chrome',
        token: 'phc_x',
        $session_id: 's',
        $set: { a: 1 },
        $sdk_debug_x: 1,
        $lib_rate_limit_remaining_tokens: 99,
        $window_id: 'w',
      },
      {},
    ],
    // addresses, under whatever name
    [
      { $external_click_url: 'https://a.example/?token=x&b=1' },
      { $external_click_url: 'https://a.example/?b=1' },
    ],
    [{ link: '/reset?token=x' }, { link: '/reset' }],
    [{ note: 'see https://a.example/?password=x' }, { note: 'see https://a.example/' }],
    [
      { $web_vitals_LCP_event: { $current_url: 'https://a.example/?a=1#x', value: 2 } },
      { $web_vitals_LCP_event: '{"$current_url":"https://a.example/?a=1","value":2}' },
    ],
    [
      { $heatmap_data: { 'https://a.example/?token=x': [1] } },
      { $heatmap_data: '{"https://a.example/":[1]}' },
    ],
    [{ nested: { $raw_user_agent: 'x', a: 1 } }, { nested: '{"a":1}' }],
    [
      { '$feature/new-cta': 'test', $feature_flag_response: true },
      { '$feature/new-cta': 'test', $feature_flag_response: 'true' },
    ],
  ])('%o', async (properties, expected) => {
    expect((await prepared({ properties })).properties).toEqual(expected)
  })

  test.each([
    ['the distinct id once more is not kept', 'ana', {}],
    ['another is kept', 'her telephone', { $device_id: 'her telephone' }],
  ])('a device id that is %s', async (_what, $device_id, expected) => {
    const { properties } = await prepared({ distinctId: 'ana', properties: { $device_id } })
    expect(properties).toEqual(expected)
  })

  test('a long key and a long text are cut', async () => {
    const { properties } = await prepared({ properties: { ['k'.repeat(300)]: 1, text: '😀'.repeat(50_000) } })
    expect(Object.keys(properties)[0]).toHaveLength(200)
    expect(properties['text']?.length).toBeLessThanOrEqual(65_536)
    expect(properties['text']?.isWellFormed()).toBe(true)
  })
})

describe('persons and groups', () => {
  test('carry on without what must not be known', async () => {
    const { person } = await prepared({
      person: {
        set: {
          email: 'ana@example.com',
          $ip: '192.0.2.9',
          $current_url: 'https://a.example/?token=x',
          $browser: 'Chrome',
          nothing: null,
        },
        setOnce: {
          $initial_current_url: 'https://a.example/?email=a@b.co&b=1',
          $initial_referrer: 'https://b.example/x?y=z',
          $initial_gclid: 'g1',
          $initial_utm_source: 'news',
          $initial_fbclid: null,
        },
        unset: ['plan'],
        add: { logins: 1, broken: Number.NaN },
      },
    })
    expect(person).toEqual({
      set: {
        email: 'ana@example.com',
        $current_url: 'https://a.example/',
        $browser: 'Chrome',
        nothing: null,
      },
      setOnce: {
        $initial_current_url: 'https://a.example/?b=1',
        $initial_referrer: 'https://b.example/x',
        $initial_utm_source: 'news',
      },
      unset: ['plan'],
      add: { logins: 1 },
    })
  })

  test('claims of identity and groups pass, at the length of ids', async () => {
    const long = 'x'.repeat(300)
    const { identity, groups, group } = await prepared({
      identity: { kind: 'identify', anonymous: ` ${long}` },
      groups: { company: long, empty: '' },
      group: { type: 'company', key: long, set: { name: 'Acme', site: 'https://a.example/?token=x' } },
    })
    expect(identity).toEqual({ kind: 'identify', anonymous: 'x'.repeat(200) })
    expect(groups).toEqual({ company: 'x'.repeat(200) })
    expect(group).toEqual({
      type: 'company',
      key: 'x'.repeat(200),
      set: { name: 'Acme', site: 'https://a.example/' },
    })
  })
})

describe('counts', () => {
  test('kept and dropped together are all that came', async () => {
    const context = await anIngestContext(undefined, { shields: { pages: ['/admin*'] } })
    const events = [
      anEvent(),
      anEvent({ name: '' }),
      withProperties({ $current_url: 'https://example.com/admin' }),
      anEvent(),
    ]
    const outcomes = events.map((event) => prepare(event, anEnvelope(), context))
    // no count has been made yet
    expect(context.counts.byProject()).toEqual([])
    context.counts.recordOutcomes(1, {
      kept: outcomes.flatMap((one) => (one.kept ? [trafficOf(one.event)] : [])),
      dropped: outcomes.flatMap((one) => (one.kept ? [] : [one])),
    })
    expect(context.counts.byProject()).toEqual([
      { projectId: 1, kept: { human: 2 }, dropped: { 'no-name': 1, 'shielded-page': 1 } },
    ])
    const steps = context.counts.byStep()
    expect(steps.find(({ name }) => name === 'refuseNonEvents')).toMatchObject({ runs: 4, drops: 1 })
    expect(steps.find(({ name }) => name === 'shieldPages')).toMatchObject({ runs: 3, drops: 1 })
    expect(steps.find(({ name }) => name === 'writeProperties')).toMatchObject({ runs: 2, drops: 0 })
    expect(context.counts.drain()).toHaveLength(1)
    expect(context.counts.drain()).toEqual([])
  })

  test('a step is timed by its name, once for sixteen events', async () => {
    let looks = 0
    const context = { ...(await anIngestContext()), counts: new Counts(() => looks++) }
    for (let n = 0; n < 32; n++) prepare(anEvent(), anEnvelope(), context)
    const steps = context.counts.byStep()
    // those of events that another Tilth prepared
    const others = ['takeDerivedFacts', 'refuseRobots', 'writeDerivedProperties']
    expect(steps).toEqual(
      steps.map(({ name }) => {
        const timed = others.includes(name) ? 0 : 32
        return { name, runs: timed, drops: 0, milliseconds: timed }
      }),
    )
    expect(steps.map(({ name }) => name)).toEqual(expect.arrayContaining(others))
    expect(steps.map(({ name }) => name)).toContain('writeProperties')
  })
})

describe('whatever comes', () => {
  const address = '203.0.113.77'
  const userAgent = `${chrome} Umbrella/424242`
  const mail = 'grumpy.badger@mail.example'
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('\0', '\ud800', '__proto__', '$direct', 'NaN', '%', 'https://', '-1', '2999-01-01'),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  )
  const knownKeys =
    '$current_url $referrer $pathname $host $session_id $revenue $currency $elements $elements_chain $browser $os ' +
    '$screen_width utm_source gclid $set $ip $engaged_ms $cookieless_mode title __proto__'
  const keys = fc.oneof(fc.constantFrom(...knownKeys.split(' ')), text)
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      text,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value
  const properties = fc.dictionary(keys, json, { maxKeys: 12, noNullPrototype: true })
  const time = fc.option(fc.date({ noInvalidDate: false }), { nil: undefined })
  const event: fc.Arbitrary<IncomingEvent> = fc.record({
    uuid: fc.option(text, { nil: undefined }),
    name: text,
    distinctId: fc.option(text, { nil: undefined }),
    timestamp: time,
    ageMs: fc.option(fc.double(), { nil: undefined }),
    properties,
    hasPerson: fc.boolean(),
    person: fc.record({
      set: properties,
      setOnce: properties,
      unset: fc.array(text),
      add: fc.dictionary(text, fc.double(), { noNullPrototype: true }),
    }),
    identity: fc.option(fc.record({ kind: fc.constant('identify' as const), anonymous: text }), {
      nil: undefined,
    }),
    groups: fc.dictionary(text, text, { noNullPrototype: true }),
    group: fc.option(fc.record({ type: text, key: text, set: properties }), { nil: undefined }),
  })
  const envelope = fc.record({
    sentAt: time,
    optedOut: fc.boolean(),
    fromServer: fc.boolean(),
    isHistorical: fc.boolean(),
    language: fc.option(text, { nil: undefined }),
  })

  /** Every text in a value, keys included. */
  function* textsIn(value: unknown): Generator<string> {
    if (typeof value === 'string') yield value
    if (typeof value !== 'object' || value === null || value instanceof Date) return
    for (const [key, one] of Object.entries(value)) {
      yield key
      yield* textsIn(one)
    }
  }

  const told = (sentProperties: Properties): Properties => ({
    ...sentProperties,
    $ip: address,
    $raw_user_agent: userAgent,
    $initial_raw_user_agent: userAgent,
    $current_url:
      typeof sentProperties['$current_url'] === 'string'
        ? sentProperties['$current_url']
        : `https://example.com/?to=${encodeURIComponent(mail)}`,
    $session_entry_url: `https://example.com/?email=${mail}`,
    $prev_pageview_url: `/welcome?who=${mail}`,
  })

  test('prepare answers, and keeps neither address nor user agent nor what a query gives away', async () => {
    const context = await anIngestContext()
    fc.assert(
      fc.property(event, envelope, (incoming, how) => {
        const sent = anEnvelope({ ...how, address, userAgent })
        const sentProperties = {
          ...incoming,
          properties: told(incoming.properties),
          person: { ...incoming.person, set: told(incoming.person.set) },
        }
        const answer = prepare(sentProperties, sent, context)
        const written = JSON.stringify(answer)
        expect(written).not.toContain(address)
        expect(written).not.toContain('Umbrella')
        expect(written).not.toContain(mail)
        for (const one of textsIn(answer)) {
          expect(one.isWellFormed()).toBe(true)
          expect(one).not.toContain('\0')
        }
        if (!answer.kept) return
        const { at, uuid, sessionId, distinctId, properties: lines } = answer.event
        expect(at.getTime()).toBeGreaterThanOrEqual(Date.UTC(2000, 0, 1))
        expect(at.getTime()).toBeLessThanOrEqual(Date.parse(noon) + 23 * 3_600_000)
        expect(isUuid(uuid)).toBe(true)
        expect(isUuid(sessionId)).toBe(true)
        expect(distinctId.length).toBeGreaterThan(0)
        expect(distinctId.length).toBeLessThanOrEqual(200)
        for (const line of Object.values(lines)) expect(typeof line).toBe('string')
      }),
      { numRuns: runs(500) },
    )
  })
})
