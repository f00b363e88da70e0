import { expect, test } from 'vitest'
import { readExport, storedEvent } from '#test/product/import-source-fixture'

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
  const { events } = await readExport('mixpanel', [event, event])
  expect(events[0]?.uuid).toBe(events[1]?.uuid)
  expect(await storedEvent('mixpanel', [event])).toMatchObject({
    name: '$pageview',
    at: new Date('2024-05-04T10:11:12Z'),
    distinctId: 'ana',
    identity: { kind: 'identify', anonymous: '$device:d1' },
    columns: { path: '/pricing', country: 'DE', city: 'Berlin', browser: 'Chrome' },
    properties: { plan: 'pro' },
  })
})
