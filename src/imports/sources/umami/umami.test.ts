import { expect, test } from 'vitest'
import type { Properties } from '#events/event'
import { readExport, storedEvent } from '#test/product/import-source-fixture'

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
  expect(await storedEvent('umami', [umamiEvent], [umamiSession])).toMatchObject({
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
    expect((await readExport('umami', ...files)).rows).toBe(1)
    expect(await storedEvent('umami', ...files)).toMatchObject({
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
  expect(await storedEvent('umami', [event], [data])).toMatchObject({
    distinctId: 'ana@example.com',
    hasPerson: true,
    identity: { kind: 'identify', anonymous: umamiEvent['session_id'] },
    person: { set: { plan: 'pro' } },
  })
})

test('umami: objects are put together again, unless a name with a dot says otherwise; a name of dots does no harm', async () => {
  const event = { ...umamiEvent, event_type: 2, event_name: 'order' }
  const data = (key: string, value: string) => ({
    website_event_id: umamiEvent['event_id'] ?? '',
    data_key: key,
    string_value: value,
    data_type: 1,
  })
  const rows = [data('cart.shop.name', 'Acme'), data('a', '1'), data('a.b', '2'), data('.'.repeat(5000), 'x')]
  const { events } = await readExport('umami', [event, { ...event, event_name: '' }], rows)
  expect(events).toHaveLength(1)
  expect(events[0]?.properties).toMatchObject({ cart: { shop: { name: 'Acme' } }, a: '1', 'a.b': '2' })
})
