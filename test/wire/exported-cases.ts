import { z } from 'zod'
import type { Properties } from '#events/event'
import type { ImportSourceName } from '#imports/sources/sources'
import { recordedRequests, type SentTrackerRequest, websiteId } from './trackers-fixture'
import { vendorRequests } from './vendor-recordings'

/** Files of an export: a text each, or rows. */
export type Exported = readonly (string | readonly Properties[])[]

/** Events of one vendor, as its client sends them and as its export holds them, in one order. */
export interface VendorCase {
  source: ImportSourceName
  sent: readonly SentTrackerRequest[]
  exported: Exported
  /** Live events that the export has in another form, and the reason. */
  isElsewhere?: (event: { name: string }) => boolean
  /** Keys that the export does not hold. */
  notExported?: readonly string[]
  /** Keys that only the export holds. */
  onlyExported?: readonly string[]
}

const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0',
  referer: 'https://acme.test/page',
}

const sentTo = (path: string, body: object | string): SentTrackerRequest => ({ path, headers: browser, body })

const matomoAction = (type: string | number, action: Properties): Properties => ({
  type,
  timestamp: 1714817472,
  url: 'https://acme.example/?utm_source=news',
  dimension1: 'gold',
  ...action,
})

const matomo: VendorCase = {
  source: 'matomo',
  sent: [
    ...vendorRequests('matomo', 'matomo-js-01.json', {}),
    ...[
      'link=https://out.example/',
      'c_n=Ad&c_p=x.png&c_t=https://out.example/',
      'c_n=Ad&c_p=x.png&c_t=https://out.example/&c_i=click',
      'idgoal=0&revenue=5&ec_items=[["sku1","Shoe","Shoes",10,2]]',
      `cvar=${encodeURIComponent('{"1":["plan","pro"]}')}&action_name=T`,
    ].map((query) => {
      const page = encodeURIComponent('https://acme.example/?utm_source=news')
      const common = `idsite=7&rec=1&url=${page}&dimension1=gold&res=1280x720&_id=2a9a937f3b559796`
      return { method: 'GET', path: `/matomo.php?${common}&${query}`, headers: browser }
    }),
  ],
  exported: [
    JSON.stringify([
      {
        idSite: '7',
        idVisit: '42',
        visitorId: '2a9a937f3b559796',
        userId: 'u1',
        resolution: '1280x720',
        actionDetails: [
          matomoAction('action', { pageTitle: 'T', pageId: 1 }),
          matomoAction('event', {
            eventCategory: 'Video',
            eventAction: 'Play',
            eventName: 'intro',
            eventValue: 3.5,
          }),
          matomoAction('goal', { goalName: 'Signed up', goalId: '2', revenue: '9.5' }),
          matomoAction('search', {
            siteSearchKeyword: 'term',
            siteSearchCategory: 'cat',
            siteSearchCount: '4',
          }),
          {
            type: 'ecommerceOrder',
            timestamp: 1714817480,
            dimension1: 'gold',
            orderId: 'o1',
            revenue: 20,
            revenueSubTotal: 18,
            revenueTax: 1,
            revenueShipping: 1,
            revenueDiscount: 0,
            items: 2,
            itemDetails: [
              { itemSKU: 'sku1', itemName: 'Shoe', itemCategory: 'Shoes', price: 10, quantity: '2' },
            ],
          },
          matomoAction('download', { url: 'http://out.example.test/f.zip' }),
          matomoAction('outlink', { url: 'https://out.example/' }),
          matomoAction(13, {
            contentName: 'Ad',
            contentPiece: 'x.png',
            contentTarget: 'https://out.example/',
            contentInteraction: null,
          }),
          matomoAction('13', {
            contentName: 'Ad',
            contentPiece: 'x.png',
            contentTarget: 'https://out.example/',
            contentInteraction: 'click',
          }),
          {
            type: 'ecommerceAbandonedCart',
            timestamp: 1714817481,
            dimension1: 'gold',
            revenue: 5,
            itemDetails: [
              { itemSKU: 'sku1', itemName: 'Shoe', itemCategory: 'Shoes', price: 10, quantity: '2' },
            ],
          },
          matomoAction('action', {
            pageTitle: 'T',
            pageId: 3,
            customVariables: { 1: { customVariablePageName1: 'plan', customVariablePageValue1: 'pro' } },
          }),
        ],
      },
    ]),
  ],
  // the log has 0 for a discount that was not sent, and for one of 0
  notExported: ['discount'],
}

const plausibleRow = (name: string, own: Properties, row: Properties = {}): Properties => ({
  name,
  site_id: 1,
  timestamp: '2024-05-04 10:11:12',
  user_id: '17432871234871234871',
  session_id: '9812347123487123487',
  hostname: '127.0.0.1',
  pathname: '/landing',
  utm_source: '',
  scroll_depth: 255,
  engagement_time: 0,
  'meta.key': ['theme', ...Object.keys(own)],
  'meta.value': ['dark', ...Object.values(own)],
  ...row,
})

const plausible: VendorCase = {
  source: 'plausible',
  sent: [
    ...recordedRequests('plausible', 'plausible-01-npm-tracker.json'),
    sentTo('/api/event', {
      n: '404',
      v: 36,
      u: 'https://example.com/none',
      d: 'example.com',
      p: { theme: 'dark', path: '/none' },
    }),
  ],
  exported: [
    [
      plausibleRow('pageview', {}, { utm_source: 'x' }),
      plausibleRow(
        'Purchase',
        { plan: 'pro' },
        {
          utm_source: 'x',
          revenue_source_amount: '12.500',
          revenue_source_currency: 'EUR',
          revenue_reporting_amount: '13.100',
          revenue_reporting_currency: 'USD',
        },
      ),
      plausibleRow('Custom URL', {}, { hostname: 'example.com', pathname: '/other' }),
      plausibleRow('engagement', {}, { utm_source: 'x', engagement_time: 15, scroll_depth: 24 }),
      plausibleRow('pageview', {}),
      plausibleRow('Outbound Link: Click', { url: 'https://example.com/x?q=1' }),
      plausibleRow('File Download', { url: 'http://127.0.0.1:44323/files/a.pdf' }),
      plausibleRow(
        'Sign Up',
        { plan: 'pro', url: 'http://127.0.0.1:44323/second#t' },
        { revenue_source_amount: '10.000', revenue_source_currency: 'USD' },
      ),
      plausibleRow('Form: Submission', {}),
      plausibleRow('engagement', {}, { engagement_time: 4186, scroll_depth: 73 }),
      plausibleRow('404', { path: '/none' }),
    ],
  ],
  notExported: ['$is_interactive'],
}

const umamiRow = (type: 1 | 2 | 5, id: number, row: Properties): Properties => ({
  website_id: websiteId,
  session_id: '0c3d7f2e-0000-5000-8000-000000000001',
  visit_id: '0c3d7f2e-0000-5000-8000-000000000002',
  event_id: `0c3d7f2e-0000-4000-8000-00000000000${id}`,
  event_type: type,
  created_at: '2024-05-04 10:11:12',
  hostname: '127.0.0.1',
  url_path: '/start',
  url_query: 'utm_source=g',
  page_title: 'Umami T',
  tag: 'tagA',
  screen: '1280x720',
  language: 'en-US',
  ...row,
})

const umamiData = (id: number, key: string, type: number, value: Properties): Properties => ({
  website_event_id: `0c3d7f2e-0000-4000-8000-00000000000${id}`,
  data_key: key,
  data_type: type,
  ...value,
})

const umami: VendorCase = {
  source: 'umami',
  sent: recordedRequests('umami', 'umami-01-tracker.json'),
  exported: [
    [
      umamiRow(1, 1, {}),
      umamiRow(2, 2, { event_name: 'signup' }),
      umamiRow(2, 3, { event_name: 'ev' }),
      umamiRow(1, 4, { url_path: '/custom', url_query: '' }),
      umamiRow(2, 5, {
        event_name: 'objevent',
        url_path: '/obj',
        url_query: '',
        hostname: '',
        page_title: '',
        tag: '',
        screen: '',
        language: '',
      }),
      umamiRow(5, 6, { lcp: '92.0', fcp: '92.0', ttfb: '28.6', inp: null, cls: null }),
      umamiRow(1, 7, { url_path: '/next', url_query: 'x=1', referrer_domain: '127.0.0.1' }),
      umamiRow(5, 8, { url_path: '/next', url_query: 'x=1' }),
    ],
    [
      umamiData(2, 'plan', 1, { string_value: 'pro' }),
      umamiData(3, 'a', 2, { string_value: '1.0000', number_value: '1.0000' }),
      umamiData(3, 'b.c', 5, { string_value: '[1,2]' }),
    ],
  ],
  // the properties of a person, which the export has as rows of another table
  isElsewhere: ({ name }) => name === '$identify',
  notExported: ['$load_ms'],
}

/** A field of a row of BigQuery. */
const field = (key: string, value: string | number): Properties => ({
  key,
  value: typeof value === 'number' ? { int_value: String(value) } : { string_value: value },
})

interface Ga4Case {
  name: string
  texts?: Record<string, string>
  numbers?: Record<string, number>
  /** Fields of the tag alone, and columns of the table alone. */
  tag?: Record<string, string>
  row?: Properties
}

const link = {
  link_url: 'https://out.example/a.pdf',
  link_id: 'a',
  link_classes: 'b',
  link_domain: 'out.example',
}
const sale = { transaction_id: 't1', coupon: 'MAY' }
const saleOfTag = { cu: 'EUR', pr1: 'idSKU1~nmShoe~pr9.5~qt2' }
const saleInRow = {
  ecommerce: { purchase_revenue: 19, transaction_id: 't1' },
  items: [{ item_id: 'SKU1', item_name: 'Shoe', item_brand: '(not set)', price: 9.5, quantity: '2' }],
}

/** Events that Google’s tag collects by itself, and sales (support.google.com/analytics/answer/9216061). */
const ga4Cases: readonly Ga4Case[] = [
  { name: 'page_view' },
  { name: 'scroll', numbers: { percent_scrolled: 90 } },
  { name: 'click', texts: { ...link, outbound: 'true' } },
  { name: 'click', texts: link },
  { name: 'file_download', texts: { ...link, link_text: 'A', file_name: '/a.pdf', file_extension: 'pdf' } },
  { name: 'view_search_results', texts: { search_term: 'shoe' } },
  {
    name: 'form_start',
    texts: { form_id: 'f', first_field_id: 'name' },
    numbers: { first_field_position: 1 },
  },
  { name: 'form_submit', texts: { form_id: 'f', form_destination: 'https://shop.example/' } },
  {
    name: 'video_progress',
    texts: { video_title: 'Intro', video_provider: 'youtube' },
    numbers: { video_percent: 50 },
  },
  { name: 'user_engagement' },
  { name: 'screen_view', texts: { screen_name: 'Home' } },
  { name: 'sign up', texts: { plan: 'pro' } },
  { name: 'purchase', texts: sale, numbers: { value: 19 }, tag: saleOfTag, row: saleInRow },
  { name: 'refund', texts: sale, numbers: { value: 19 }, tag: saleOfTag, row: saleInRow },
  { name: 'add_to_cart', numbers: { value: 19 }, tag: saleOfTag, row: { items: saleInRow.items } },
]

const ga4: VendorCase = {
  source: 'ga4',
  sent: ga4Cases.map(({ name, texts = {}, numbers = {}, tag = {} }, n) => {
    const query = new URLSearchParams({
      v: '2',
      tid: 'G-ABC123',
      gcs: 'G111',
      cid: '1122.3344',
      ul: 'en-us',
      sr: '1280x720',
      _s: String(n),
      _et: '1500',
      sid: '1795337200',
      dl: 'https://shop.example/cart?utm_source=news',
      dt: 'Cart',
      en: name,
      ...Object.fromEntries(Object.entries(texts).map(([key, value]) => [`ep.${key}`, value])),
      ...Object.fromEntries(Object.entries(numbers).map(([key, value]) => [`epn.${key}`, String(value)])),
      ...tag,
    })
    return sentTo(`/g/collect?${String(query)}`, '')
  }),
  exported: [
    ga4Cases.map(({ name, texts = {}, numbers = {}, tag = {}, row = {} }, n) => ({
      event_date: '20240504',
      event_timestamp: String(1714817472345678 + n),
      event_name: name,
      user_pseudo_id: '1122.3344',
      device: { category: 'desktop', language: 'en-us', web_info: { browser: 'Chrome' } },
      privacy_info: { analytics_storage: 'Yes', ads_storage: 'Yes', uses_transient_token: 'No' },
      collected_traffic_source: { manual_source: 'news' },
      event_params: [
        field('page_location', 'https://shop.example/cart?utm_source=news'),
        field('page_title', 'Cart'),
        field('ga_session_id', 1714817400),
        field('ga_session_number', 1),
        field('engagement_time_msec', 1500),
        field('session_engaged', '1'),
        field('batch_page_id', 1714817400345),
        ...Object.entries({ ...texts, ...numbers, ...(tag['cu'] && { currency: tag['cu'] }) }).map(
          ([key, value]) => field(key, value),
        ),
      ],
      ...row,
    })),
  ],
  notExported: ['screen'],
}

const goatcounter: VendorCase = {
  source: 'goatcounter',
  sent: vendorRequests('goatcounter', 'goatcounter-01.json', {}),
  exported: [
    [
      '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date',
      '/,T,0,,Chrome 124,Linux,s1,0,news,c,"1280,720,1",DE-BE,1,2024-05-04T10:11:12Z',
      'signed-up,S,1,,Chrome 124,Linux,s1,0,r.example,h,"1280,720,1",DE-BE,0,2024-05-04T10:12:12Z',
      'clicked,c,1,,Chrome 124,Linux,s1,0,,,"1280,720,1",DE-BE,0,2024-05-04T10:13:12Z',
    ].join('\n'),
  ],
  // an export is of one site, whose host it does not name
  notExported: ['$current_url', 'path'],
  onlyExported: ['path', 'screen', '$pathname'],
}

const simpleAnalyticsRow = (row: Properties): Properties => ({
  added_iso: '2024-05-04T10:11:12.000Z',
  session_id: '63dcc958-69e6-4216-9799-c218f376e320',
  hostname: 'acme.test',
  path: '/',
  query: 'utm_source=news&utm_campaign=c1',
  utm_source: 'news',
  is_robot: false,
  screen_width: 1280,
  screen_height: 720,
  viewport_width: 1280,
  viewport_height: 720,
  lang_language: 'en',
  lang_region: 'US',
  ...row,
})

const simpleAnalytics: VendorCase = {
  source: 'simple-analytics',
  sent: [
    ...vendorRequests('simple-analytics', 'simple-analytics-01.json', {}),
    sentTo('/events', {
      type: 'event',
      hostname: 'acme.test',
      event: 'order',
      path: '/',
      query: 'utm_source=news',
      language: 'en-US',
      screen_width: 1280,
      screen_height: 720,
      viewport_width: 1280,
      viewport_height: 720,
      metadata: { plan: 'pro', is_new: true, at: '2024-05-04T10:11:12Z' },
    }),
  ],
  exported: [
    [
      simpleAnalyticsRow({
        datapoint: 'pageview',
        uuid: '8ab700b7-2c18-41c9-89ba-e20e624e505f',
        duration_seconds: 5,
        scrolled_percentage: 100,
      }),
      simpleAnalyticsRow({
        datapoint: 'clicked',
        uuid: 'ccdc8ec9-2c4d-4970-9c64-b673d96a3954',
        'metadata.n_int': 1,
      }),
      simpleAnalyticsRow({
        datapoint: 'order',
        uuid: 'ccdc8ec9-2c4d-4970-9c64-b673d96a3955',
        'metadata.plan_text': 'pro',
        'metadata.is_new_bool': true,
        'metadata.at_date': '2024-05-04T10:11:12Z',
      }),
    ],
  ],
  // the export has the reading time with its view
  isElsewhere: ({ name }) => name === '$engagement',
  onlyExported: ['engaged_ms', 'scroll_depth'],
  notExported: ['$timezone'],
}

/** The body of a recorded request, which is a text. */
const textOf = (body: SentTrackerRequest['body']): string => (typeof body === 'string' ? body : '')

const mixpanelBody = z.array(z.object({ event: z.string(), properties: z.record(z.string(), z.json()) }))

/** The sent events, with what Mixpanel adds to each. */
function mixpanelExport(requests: readonly SentTrackerRequest[]): Properties[] {
  const sent = requests
    .filter(({ path }) => path.includes('/track'))
    .flatMap(({ body }) => {
      const text = new URLSearchParams(textOf(body)).get('data')
      return mixpanelBody.parse(
        JSON.parse(text === null ? textOf(body) : Buffer.from(text, 'base64').toString()),
      )
    })
  return sent.map(({ event, properties: { token: _, ...properties } }) => ({
    event,
    properties: {
      ...properties,
      time: 1714817472,
      mp_processing_time_ms: 1714817473000,
      $mp_api_endpoint: 'api-js.mixpanel.com',
      $mp_api_timestamp_ms: 1714817472500,
      $city: 'Berlin',
      $region: 'Berlin',
      mp_country_code: 'DE',
    },
  }))
}

const mixpanelRequests = vendorRequests('mixpanel', 'mixpanel-browser-01.json', {
  tilth_pub: 'key-1',
}).filter(({ path }) => path.includes('/track'))

const mixpanel: VendorCase = {
  source: 'mixpanel',
  sent: mixpanelRequests,
  exported: [mixpanelExport(mixpanelRequests)],
}

const amplitudeEvents = z.object({ events: z.array(z.record(z.string(), z.json())) })

/** The sent events as Amplitude exports them, with the device and the place that it found. */
function amplitudeExport(requests: readonly SentTrackerRequest[]): Properties[] {
  return requests
    .flatMap(({ body }) => amplitudeEvents.parse(JSON.parse(textOf(body))).events)
    .map(({ insert_id, time: _, ip: __, user_agent: ___, language: ____, ...event }, n) => ({
      ...event,
      $insert_id: insert_id ?? null,
      uuid: `0c3d7f2e-0000-11ee-8000-0000000000${10 + n}`,
      amplitude_id: 1,
      app: 1,
      event_time: '2024-05-04 10:11:12.345000',
      client_upload_time: '2024-05-04 10:11:13.345000',
      ip_address: '203.0.113.7',
      country: 'Germany',
      city: 'Berlin',
      language: 'English',
      os_name: 'Chrome',
      os_version: '156',
      device_type: 'Linux',
      device_family: 'Linux',
      user_properties: { plan: 'pro' },
    }))
}

const amplitudeRequests = vendorRequests('amplitude', 'amplitude-browser-01.json', {
  tilth_pub: 'key-1',
}).filter(({ method }) => method === 'POST')

const amplitude: VendorCase = {
  source: 'amplitude',
  sent: amplitudeRequests,
  exported: [amplitudeExport(amplitudeRequests)],
}

export const vendorCases: readonly VendorCase[] = [
  matomo,
  plausible,
  umami,
  ga4,
  goatcounter,
  simpleAnalytics,
  mixpanel,
  amplitude,
]
