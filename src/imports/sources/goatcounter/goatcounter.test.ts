import { expect, test } from 'vitest'
import { readExport, storedEvent } from '#test/product/import-source-fixture'

test('goatcounter: views and events, with the version of the format glued to the first column', async () => {
  const head =
    '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date'
  const lines = [
    '/pricing,Pricing,0,,Chrome 124,Windows 10,s1,0,duckduckgo.com,h,"1920,1080,1",DE-BE,1,2024-05-04T10:11:12Z',
    'order,,1,,Chrome 124,Windows 10,s1,0,,,,DE-BE,0,2024-05-04T10:12:12Z',
    '/,Home,0,,,,s2,5,,,,,1,2024-05-04T10:13:12Z',
  ]
  const { events, dropped } = await readExport('goatcounter', [head, ...lines].join('\n'))
  expect(events.map(({ name }) => name)).toEqual(['$pageview', 'order'])
  expect(dropped).toEqual({ 'from a bot': 1 })
  expect(await storedEvent('goatcounter', [head, ...lines].join('\n'))).toMatchObject({
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
