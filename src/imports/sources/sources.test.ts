import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Properties } from '#events/event'
import { aFolder } from '#test/fixture'
import { expectKept, anEnvelope, anIngestContext } from '#test/ingest-fixture'
import type { DailySum } from '../daily/daily-sum'
import { type ImportedEvent, incomingEventOf } from '../internal/imported-event'
import { portionsOf } from '../portions'
import { readSource } from '../source-reader'
import { type ImportSourceName, importSources } from './sources'

type FileContent = string | readonly Properties[]

/** Reads files of these contents, rows as JSON lines. */
async function read(name: ImportSourceName, ...contents: readonly FileContent[]) {
  const folder = aFolder()
  mkdirSync(folder, { recursive: true })
  const paths = contents.map((content, n) => {
    const path = join(folder, `file ${n}`)
    const text = typeof content === 'string' ? content : content.map((row) => JSON.stringify(row)).join('\n')
    writeFileSync(path, text)
    return path
  })
  const source = importSources[name]
  const events: ImportedEvent[] = []
  const sums: DailySum[] = []
  const dropped: Record<string, number> = {}
  let rows = 0
  await readSource(paths, source, async (files) => {
    for await (const portion of portionsOf(files, { source, now: new Date('2026-03-02T12:00:00Z') })) {
      rows += portion.rows
      events.push(...portion.events)
      sums.push(...portion.sums)
      Object.assign(dropped, portion.dropped)
    }
  })
  return { rows, events, sums, dropped }
}

/** Returns the stored form of the first event in the files. */
async function stored(name: ImportSourceName, ...contents: readonly FileContent[]) {
  const [event] = (await read(name, ...contents)).events
  if (!event) throw new Error('There is no event.')
  const envelope = anEnvelope({
    fromServer: true,
    isHistorical: true,
    importId: 'an import',
    address: '',
    userAgent: '',
    dialect: name,
  })
  return expectKept(incomingEventOf(event), envelope, await anIngestContext())
}

const umamiEvent: Properties = {
  website_id: 'b5a0f0e4-0000-4000-8000-000000000000',
  session_id: '0c3d7f2e-0000-5000-8000-000000000001',
  visit_id: '0c3d7f2e-0000-5000-8000-000000000002',
  event_id: '0c3d7f2e-0000-4000-8000-000000000003',
  hostname: 'acme.example',
  url_path: '/pricing',
  url_query: 'utm_source=news&utm_medium=email',
  referrer_domain: 'duckduckgo.com',
  referrer_path: '/',
  page_title: 'Pricing',
  event_type: '1',
  event_name: '',
  created_at: '2024-05-04 10:11:12',
}
const umamiSession: Properties = {
  session_id: umamiEvent['session_id'] ?? '',
  browser: 'edge-chromium',
  os: 'Windows 10',
  device: 'laptop',
  screen: '1920x1080',
  language: 'de-DE',
  country: 'DE',
  region: 'DE-BE',
  city: 'Berlin',
}

test('umami: a page view has the device and the place of its session, and its visit', async () => {
  expect(await stored('umami', [umamiEvent], [umamiSession])).toMatchObject({
    uuid: umamiEvent['event_id'],
    name: '$pageview',
    at: new Date('2024-05-04T10:11:12Z'),
    distinctId: umamiEvent['session_id'],
    sessionId: umamiEvent['visit_id'],
    hasPerson: false,
    importId: 'an import',
    columns: {
      traffic: 'human',
      host: 'acme.example',
      path: '/pricing',
      title: 'Pricing',
      referrer_host: 'duckduckgo.com',
      utm_source: 'news',
      utm_medium: 'email',
      channel: 'Email',
      browser: 'Microsoft Edge',
      os: 'Windows',
      os_version: '10',
      device: 'Desktop',
      screen: '1920x1080',
      language: 'de-DE',
      country: 'DE',
      region: 'DE-BE',
      city: 'Berlin',
      lib: 'umami',
    },
    properties: { $import: 'an import' },
  })
})

test('umami: properties of events are joined, whatever the order of the files, and not counted as rows', async () => {
  const event = { ...umamiEvent, event_type: 2, event_name: 'order' }
  const data = (key: string, more: Properties) => ({
    website_event_id: umamiEvent['event_id'] ?? '',
    data_key: key,
    ...more,
  })
  const rows = [
    data('plan', { string_value: 'pro', data_type: 1 }),
    data('revenue', { string_value: '12.5000', number_value: '12.5', data_type: '2' }),
    data('currency', { string_value: 'EUR', data_type: 1 }),
  ]
  for (const files of [
    [[event], rows],
    [rows, [event]],
  ]) {
    expect((await read('umami', ...files)).rows).toBe(1)
    expect(await stored('umami', ...files)).toMatchObject({
      name: 'order',
      columns: { revenue: 12.5, currency: 'EUR' },
      properties: { plan: 'pro' },
    })
  }
})

test('umami: an identified session is a person, with the properties of the session', async () => {
  const event = { ...umamiEvent, distinct_id: 'ana@example.com' }
  const data = {
    session_id: umamiEvent['session_id'] ?? '',
    data_key: 'plan',
    string_value: 'pro',
    data_type: 1,
  }
  expect(await stored('umami', [event], [data])).toMatchObject({
    distinctId: 'ana@example.com',
    hasPerson: true,
    identity: { kind: 'identify', anonymous: umamiEvent['session_id'] },
    person: { set: { plan: 'pro' } },
  })
})

test('plausible: an event of Community Edition', async () => {
  const event = {
    name: 'Purchase',
    timestamp: '2024-05-04 10:11:12',
    user_id: '17432871234871234871',
    session_id: '9812347123487123487',
    hostname: 'acme.example',
    pathname: '/done',
    referrer: 'news.ycombinator.com',
    country_code: 'DE',
    screen_size: 'Mobile',
    operating_system: 'Mac',
    browser: 'Mobile Safari',
    'meta.key': ['plan'],
    'meta.value': ['pro'],
    revenue_reporting_amount: '9.990',
    revenue_reporting_currency: 'EUR',
    scroll_depth: 255,
  }
  expect(await stored('plausible', [event])).toMatchObject({
    name: 'Purchase',
    distinctId: '17432871234871234871',
    hasPerson: false,
    columns: {
      path: '/done',
      referrer_host: 'news.ycombinator.com',
      country: 'DE',
      device: 'Mobile',
      os: 'Mac OS X',
      revenue: 9.99,
      currency: 'EUR',
    },
    properties: { plan: 'pro' },
  })
})

test('plausible: a sum of a day becomes no event, and is kept with each of its values', async () => {
  const day = { visitors: 0, visits: 0, views: 0, bounces: 0, seconds: 0, events: 0, day: '2024-05-04' }
  const visits = { ...day, visitors: 3, visits: 4, bounces: 1, seconds: 120 }
  const files: readonly [string, object[]][] = [
    [
      'date,visitors,pageviews,bounces,visits,visit_duration\n2024-05-04,3,5,1,4,120\n',
      [{ ...visits, views: 5, dimension: 'total', value: '' }],
    ],
    [
      'date,source,referrer,utm_source,utm_medium,utm_campaign,utm_content,utm_term,pageviews,visitors,visits,visit_duration,bounces\n' +
        '2024-05-04,Google,google.com,,cpc,spring,,,5,3,4,120,1\n2024-05-04,,,,,,,,5,3,4,120,1\n',
      [
        { ...visits, views: 5, dimension: 'source', value: 'Google' },
        { ...visits, views: 5, dimension: 'utm_medium', value: 'cpc' },
        { ...visits, views: 5, dimension: 'utm_campaign', value: 'spring' },
        { ...visits, views: 5, dimension: 'source', value: '' },
      ],
    ],
    [
      'date,entry_page,visitors,entrances,visit_duration,bounces\n2024-05-04,/pricing,3,4,120,1\n',
      [{ ...visits, dimension: 'entry', value: '/pricing' }],
    ],
    [
      'date,country,region,city,visitors,visits,visit_duration,bounces,pageviews\n2024-05-04,DE,DE-BE,2950159,3,4,120,1,5\n',
      [
        { ...visits, views: 5, dimension: 'country', value: 'DE' },
        { ...visits, views: 5, dimension: 'region', value: 'DE-BE' },
      ],
    ],
    [
      'date,operating_system,operating_system_version,visitors,visits,visit_duration,bounces,pageviews\n2024-05-04,Mac,14,3,4,120,1,5\n',
      [{ ...visits, views: 5, dimension: 'os', value: 'Mac OS X' }],
    ],
    [
      'date,name,link_url,path,visitors,events\n2024-05-04,Signup,,/,3,7\n',
      [{ ...day, visitors: 3, events: 7, dimension: 'event', value: 'Signup' }],
    ],
  ]
  for (const [content, sums] of files)
    expect(await read('plausible', content)).toMatchObject({ events: [], sums, dropped: {} })
})

test('plausible: sums that cannot be right are left out', async () => {
  const head = 'date,visitors,pageviews,bounces,visits,visit_duration\n'
  const rows = [
    '2024-13-04,3,5,1,3,120',
    '2024-05-04,-3,5,1,3,120',
    '2024-05-04,3.5,5,1,3,120',
    '2099-01-01,1,1,1,1,1',
  ]
  expect(await read('plausible', `${head}${rows.join('\n')}\n`)).toEqual({
    rows: 4,
    events: [],
    sums: [],
    dropped: { 'without a time': 1, 'not a row of this export': 2, 'dated in the future': 1 },
  })
})

test('mixpanel: copies of an event in one export have one id; a user’s device is merged', async () => {
  const event = {
    event: '$mp_web_page_view',
    properties: {
      time: 1714817472,
      distinct_id: 'ana',
      $insert_id: 'abc123',
      $user_id: 'ana',
      $device_id: 'd1',
      $browser: 'Chrome',
      $os: 'Mac OS X',
      $current_url: 'https://acme.example/pricing',
      mp_country_code: 'DE',
      $city: 'Berlin',
      $region: 'Berlin',
      plan: 'pro',
    },
  }
  const { events } = await read('mixpanel', [event, event])
  expect(events[0]?.uuid).toBe(events[1]?.uuid)
  expect(await stored('mixpanel', [event])).toMatchObject({
    name: '$pageview',
    at: new Date('2024-05-04T10:11:12Z'),
    distinctId: 'ana',
    identity: { kind: 'identify', anonymous: '$device:d1' },
    columns: { path: '/pricing', country: 'DE', city: 'Berlin', browser: 'Chrome' },
    properties: { plan: 'pro' },
  })
})

test('amplitude: an event has the place that Amplitude found, its session and the user’s properties', async () => {
  const event = {
    uuid: '0c3d7f2e-0000-11ee-8000-000000000003',
    $insert_id: 'd1-1',
    event_type: '[Amplitude] Page Viewed',
    event_time: '2024-05-04 10:11:12.345000',
    user_id: 'ana',
    device_id: 'd1',
    session_id: 1714817400000,
    event_properties: { '[Amplitude] Page Location': 'https://acme.example/pricing', plan: 'pro' },
    user_properties: { role: 'admin', initial_utm_source: 'EMPTY' },
    groups: { company: ['acme'] },
    country: 'Germany',
    city: 'Berlin',
    os_name: 'Chrome',
    ip_address: '203.0.113.7',
    library: 'amplitude-ts/2.0',
    language: 'German',
  }
  const { events } = await read('amplitude', [event])
  expect(JSON.stringify(events)).not.toContain('203.0.113.7')
  expect(await stored('amplitude', [event])).toMatchObject({
    name: '$pageview',
    at: new Date('2024-05-04T10:11:12.345Z'),
    distinctId: 'ana',
    identity: { kind: 'identify', anonymous: 'd1' },
    person: { set: { role: 'admin' } },
    groups: { company: 'acme' },
    columns: { path: '/pricing', country: 'DE', city: 'Berlin' },
    properties: { plan: 'pro' },
  })
})

const ga4Event: Properties = {
  event_date: '20240504',
  event_timestamp: '1714817472345678',
  event_name: 'purchase',
  user_pseudo_id: '111.222',
  event_params: [
    { key: 'page_location', value: { string_value: 'https://acme.example/done' } },
    { key: 'page_title', value: { string_value: 'Done' } },
    { key: 'ga_session_id', value: { int_value: '1714817400' } },
    { key: 'coupon', value: { string_value: 'MAY' } },
    { key: 'currency', value: { string_value: 'EUR' } },
  ],
  collected_traffic_source: { manual_source: 'news', manual_medium: 'email' },
  traffic_source: { source: 'google', medium: 'cpc' },
  device: {
    category: 'desktop',
    operating_system: 'Macintosh',
    language: 'de-de',
    web_info: { browser: 'Chrome' },
  },
  geo: { country: 'Germany', city: 'Berlin' },
  ecommerce: { purchase_revenue: 12.5, transaction_id: 'T1' },
}

test('ga4: an event has its own campaign and not the first one of its visitor', async () => {
  expect(await stored('ga4', [ga4Event])).toMatchObject({
    name: 'purchase',
    at: new Date('2024-05-04T10:11:12.345Z'),
    distinctId: '111.222',
    sessionId: expect.stringMatching(/^018f4314-fcc0-7/) as string,
    columns: {
      path: '/done',
      title: 'Done',
      utm_source: 'news',
      utm_medium: 'email',
      revenue: 12.5,
      currency: 'EUR',
      device: 'Desktop',
      os: 'Mac OS X',
      country: 'DE',
    },
    properties: { coupon: 'MAY', transaction_id: 'T1' },
  })
})

test('ga4: a row that was written anew is the same event, and one without consent is left out', async () => {
  const again = { ...ga4Event, is_active_user: true }
  const refused = { ...ga4Event, user_pseudo_id: null }
  const { events, dropped } = await read('ga4', [ga4Event, again, refused])
  expect(events[0]?.uuid).toBe(events[1]?.uuid)
  expect(dropped).toEqual({ 'without a visitor, who has refused consent': 1 })
})

const matomoVisit: Properties = {
  idSite: '1',
  idVisit: '42',
  visitorId: '0123456789abcdef',
  serverTimestamp: 1714817472,
  referrerUrl: 'https://duckduckgo.com/',
  deviceType: 'Smartphone',
  browserName: 'Chrome Mobile',
  operatingSystemName: 'Android',
  operatingSystemVersion: '14',
  countryCode: 'de',
  city: 'Berlin',
  resolution: '412x915',
  languageCode: 'de-de',
  actionDetails: [
    { type: 'action', url: 'https://acme.example/', pageTitle: 'Acme', timestamp: 1714817472, pageId: 1 },
    {
      type: 'event',
      url: 'https://acme.example/',
      eventCategory: 'shop',
      eventAction: 'order',
      eventValue: 3,
      timestamp: 1714817480,
      pageId: 2,
    },
    { type: 'form', timestamp: 1714817490 },
  ],
}

test('matomo: each action of a visit is an event, and what has no counterpart is counted', async () => {
  const { rows, events, dropped } = await read('matomo', JSON.stringify([matomoVisit]))
  expect({ rows, names: events.map(({ name }) => name), dropped }).toEqual({
    rows: 3,
    names: ['$pageview', 'order'],
    dropped: { "an action of Matomo's type form": 1 },
  })
  expect(new Set(events.map(({ properties }) => properties['$session_id'])).size).toBe(1)
  expect(await stored('matomo', JSON.stringify([matomoVisit]))).toMatchObject({
    at: new Date('2024-05-04T10:11:12Z'),
    distinctId: '0123456789abcdef',
    columns: {
      path: '/',
      title: 'Acme',
      referrer_host: 'duckduckgo.com',
      device: 'Mobile',
      os: 'Android',
      country: 'DE',
    },
  })
})

test('matomo: a visit that went on after it was exported brings its further actions only', async () => {
  const first = await read(
    'matomo',
    JSON.stringify([{ ...matomoVisit, actionDetails: [matomoVisit['actionDetails']].flat().slice(0, 1) }]),
  )
  const later = await read('matomo', JSON.stringify([{ ...matomoVisit, visitDuration: 99 }]))
  expect(first.events[0]?.uuid).toBe(later.events[0]?.uuid)
})

test('goatcounter: views and events, with the version of the format glued to the first column', async () => {
  const head =
    '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date'
  const lines = [
    '/pricing,Pricing,0,,Chrome 124,Windows 10,s1,0,duckduckgo.com,h,"1920,1080,1",DE-BE,1,2024-05-04T10:11:12Z',
    'order,,1,,Chrome 124,Windows 10,s1,0,,,,DE-BE,0,2024-05-04T10:12:12Z',
    '/,Home,0,,,,s2,5,,,,,1,2024-05-04T10:13:12Z',
  ]
  const { events, dropped } = await read('goatcounter', [head, ...lines].join('\n'))
  expect(events.map(({ name }) => name)).toEqual(['$pageview', 'order'])
  expect(dropped).toEqual({ 'from a bot': 1 })
  expect(await stored('goatcounter', [head, ...lines].join('\n'))).toMatchObject({
    distinctId: 's1',
    columns: {
      path: '/pricing',
      title: 'Pricing',
      referrer_host: 'duckduckgo.com',
      browser: 'Chrome',
      browser_version: '124',
      screen: '1920x1080',
      country: 'DE',
    },
  })
})

test('simple-analytics: a data point', async () => {
  const point = {
    added_iso: '2024-05-04T10:11:12.000Z',
    uuid: '0c3d7f2e-0000-4000-8000-000000000003',
    session_id: 's1',
    hostname: 'acme.example',
    path: '/pricing',
    query: 'utm_source=news',
    document_referrer: 'duckduckgo.com/',
    is_robot: 'false',
    country_code: 'DE',
    device_type: 'desktop',
    browser_name: 'Firefox',
    os_name: 'macOS',
    duration_seconds: '12',
    scrolled_percentage: '80',
  }
  expect(await stored('simple-analytics', [point])).toMatchObject({
    uuid: point.uuid,
    name: '$pageview',
    distinctId: 's1',
    columns: {
      path: '/pricing',
      utm_source: 'news',
      referrer_host: 'duckduckgo.com',
      os: 'Mac OS X',
      engaged_ms: 12_000,
      scroll_depth: 80,
      country: 'DE',
    },
  })
  expect((await read('simple-analytics', [{ ...point, is_robot: true }])).dropped).toEqual({
    'from a bot': 1,
  })
})

test.each(Object.keys(importSources) as ImportSourceName[])(
  '%s: rows of another product are left out, each with a reason',
  async (name) => {
    const { rows, events, dropped } = await read(name, [{ anything: 1 }, { other: null }], 'a,b\n1,2\n')
    expect({ rows, events }).toEqual({ rows: 3, events: [] })
    expect(Object.values(dropped).reduce((sum, amount) => sum + amount, 0)).toBeGreaterThan(0)
  },
)
