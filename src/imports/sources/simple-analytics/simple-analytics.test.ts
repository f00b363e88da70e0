import { expect, test } from 'vitest'
import { readExport, storedEvent } from '#test/product/import-source-fixture'

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
  expect(await storedEvent('simple-analytics', [point])).toMatchObject({
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
  expect((await readExport('simple-analytics', [{ ...point, is_robot: true }])).dropped).toEqual({
    'from a bot': 1,
  })
})
