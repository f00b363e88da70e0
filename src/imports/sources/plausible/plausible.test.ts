import { expect, test } from 'vitest'
import { readExport, storedEvent } from '#test/product/import-source-fixture'

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
  expect(await storedEvent('plausible', [event])).toMatchObject({
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
    expect(await readExport('plausible', content)).toMatchObject({ events: [], sums, dropped: {} })
})

test('plausible: sums that cannot be right are left out', async () => {
  const head = 'date,visitors,pageviews,bounces,visits,visit_duration\n'
  const rows = [
    '2024-13-04,3,5,1,3,120',
    '2024-05-04,-3,5,1,3,120',
    '2024-05-04,3.5,5,1,3,120',
    '2099-01-01,1,1,1,1,1',
  ]
  expect(await readExport('plausible', `${head}${rows.join('\n')}\n`)).toEqual({
    rows: 4,
    events: [],
    sums: [],
    profiles: [],
    dropped: { 'without a time': 1, 'not a row of this export': 2, 'dated in the future': 1 },
  })
})
