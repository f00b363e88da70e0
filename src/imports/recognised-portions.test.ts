import { expect, test } from 'vitest'
import type { Properties } from '#events/event'
import { readExport } from '#test/product/import-source-fixture'
import { type ImportSourceName, importSources, isImportSource } from './sources/sources'

const names = Object.keys(importSources).filter(isImportSource)

/** A row of each product, by the columns that its export has. */
const rows: Record<ImportSourceName, Properties> = {
  posthog: {
    uuid: '1',
    event: 'view',
    distinct_id: 'ana',
    timestamp: '2024-03-01T10:00:00Z',
    properties: '{}',
  },
  umami: {
    website_id: 'w',
    session_id: 's',
    event_type: 1,
    url_path: '/a',
    created_at: '2024-03-01 10:00:00',
  },
  plausible: {
    date: '2024-03-01',
    visitors: '3',
    pageviews: '4',
    bounces: '1',
    visits: '3',
    visit_duration: '60',
  },
  mixpanel: { event: 'view', properties: { time: 1709287200, distinct_id: 'ana', $insert_id: 'a' } },
  amplitude: { event_type: 'view', event_time: '2024-03-01 10:00:00', device_id: 'd', $insert_id: 'a' },
  ga4: { event_name: 'view', event_timestamp: '1709287200000000', user_pseudo_id: '1.2', event_params: [] },
  matomo: {
    idVisit: 1,
    visitorId: 'v',
    actionDetails: [{ type: 'action', timestamp: 1709287200, url: 'https://acme.example/' }],
  },
  goatcounter: { '2Path': '/a', Session: 's', FirstVisit: '1', Date: '2024-03-01T10:00:00Z', Bot: '0' },
  'simple-analytics': { added_iso: '2024-03-01T10:00:00Z', uuid: 'u', session_id: 's', path: '/a' },
  tilth: {
    uuid: '01890000-0000-7000-8000-000000000001',
    event: 'view',
    distinct_id: 'ana',
    timestamp: '2024-03-01 10:00:00.000',
    traffic: 'human',
    is_cookieless: false,
    properties: '{}',
  },
}

const others = names.flatMap((name) =>
  names.filter((one) => one !== name).map((other) => [name, other] as const),
)

test.each(names)('%s: its own rows are recognised', async (name) => {
  const { events, sums } = await readExport(name, [rows[name]])
  expect(events.length + sums.length).toBe(1)
})

test.each(others)('%s: an export of %s is refused by its name', async (name, other) => {
  const { label } = importSources[other]
  await expect(readExport(name, [rows[other], rows[other]])).rejects.toThrow(
    new RegExp(
      `^Nothing in file 0 has the form of an export of .*: expected .*; found .*\\. It looks like an export of ${label}: import it as that\\.`,
    ),
  )
})

test.each(names)('%s: a file of no product says which columns it has', async (name) => {
  await expect(readExport(name, 'first;second\n1;2\n')).rejects.toThrow(/; found first, second\.$/)
  await expect(readExport(name, 'first,second\n')).rejects.toThrow(/; found no rows\.$/)
  await expect(readExport(name, '')).rejects.toThrow(/; found no rows\.$/)
  await expect(readExport(name, '[]')).rejects.toThrow(/; found no rows\.$/)
  await expect(readExport(name, '{"a":\n{"b":')).rejects.toThrow(
    /; found rows that are not JSON, perhaps cut\. Left out: 2 not JSON, perhaps cut\.$/,
  )
})

test('rows of another form between others are left out, and the file is not refused', async () => {
  const foreign = Array.from({ length: 20_000 }, () => ({ a: 1 }))
  const { events, dropped } = await readExport('posthog', [...foreign, rows.posthog])
  expect(events).toHaveLength(1)
  expect(dropped).toEqual({ 'not a row of this export': 20_000 })
})

test('a file of which every row is left out for what it says, and not for its form, is read', async () => {
  expect(await readExport('posthog', [{ ...rows.posthog, timestamp: '2624-03-01T10:00:00Z' }])).toMatchObject(
    {
      events: [],
      dropped: { 'dated in the future': 1 },
    },
  )
})

test('a file with the columns, and with values of another form in them, says what is wrong with them', async () => {
  const odd = { ...rows.posthog, timestamp: '01.03.2024 10:00' }
  await expect(readExport('posthog', [odd, odd])).rejects.toThrow(
    /; found uuid, .*\. Left out: 2 without a time\.$/,
  )
})
