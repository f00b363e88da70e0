import { expect, test } from 'vitest'
import type { Properties } from '#events/event'
import { readExport, storedEvent } from '#test/product/import-source-fixture'

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
  expect(await storedEvent('ga4', [ga4Event])).toMatchObject({
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

test('ga4: a row that was written again is the same event, and one without consent is left out', async () => {
  const again = { ...ga4Event, is_active_user: true }
  const refused = { ...ga4Event, user_pseudo_id: null }
  const { events, dropped } = await readExport('ga4', [ga4Event, again, refused])
  expect(events[0]?.uuid).toBe(events[1]?.uuid)
  expect(dropped).toEqual({ 'without a visitor, who has refused consent': 1 })
})

test('ga4: events that Google makes of marks are left out, and only a sale has revenue', async () => {
  const value = { key: 'value', value: { double_value: 9.5 } }
  const rows = ['first_visit', 'session_start', 'add_to_cart'].map((name) => ({
    ...ga4Event,
    event_name: name,
    ecommerce: null,
    event_params: [value],
  }))
  const { events, dropped } = await readExport('ga4', rows)
  expect(dropped).toEqual({ 'first_visit and session_start, which are no events here': 2 })
  expect(events.map(({ name }) => name)).toEqual(['add_to_cart'])
  expect(events[0]?.properties).not.toHaveProperty('$revenue')
})
