import { expect, test } from 'vitest'
import { readExport, storedEvent } from '#test/product/import-source-fixture'

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
  const { events } = await readExport('amplitude', [event])
  expect(JSON.stringify(events)).not.toContain('203.0.113.7')
  expect(await storedEvent('amplitude', [event])).toMatchObject({
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
