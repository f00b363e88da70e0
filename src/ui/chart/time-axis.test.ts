import { expect, test } from 'vitest'
import { bucketPoints, type AxisInterval } from './time-axis'

test.each<[interval: AxisInterval, start: string, label: string, title: string]>([
  ['minute', '2026-11-21T07:45', '07:45', 'Sat, 21 Nov 2026, 07:45'],
  ['hour', '2026-11-21T23:00:00', '23:00', 'Sat, 21 Nov 2026, 23:00 – 00:00'],
  ['hour', '2026-11-21T05:30', '05:30', 'Sat, 21 Nov 2026, 05:30 – 06:30'],
  ['day', '2026-11-21', '21 Nov', 'Sat, 21 Nov 2026'],
  ['day', '2024-02-29T00:00:00', '29 Feb', 'Thu, 29 Feb 2024'],
  ['week', '2026-12-28', '28 Dec', '28 Dec 2026 – 3 Jan 2027'],
  ['month', '2026-11-01', 'Nov 2026', 'Nov 2026'],
  ['year', '2026-01-01', '2026', '1 Jan 2026 – 31 Dec 2026'],
])('a bucket of one %s that begins %s is labelled %s', (interval, start, label, title) => {
  expect(bucketPoints([start], interval)).toEqual([{ label, title }])
})

test('hours say the day where a new one begins', () => {
  const labels = bucketPoints(['2026-11-20T23:00', '2026-11-21T00:00', '2026-11-21T01:00'], 'hour')
  expect(labels.map(({ label }) => label)).toEqual(['23:00', '21 Nov', '01:00'])
})

test('months say the year once', () => {
  const labels = bucketPoints(['2026-11-01', '2026-12-01', '2027-01-01', '2027-02-01'], 'month')
  expect(labels.map(({ label }) => label)).toEqual(['Nov 2026', 'Dec', 'Jan 2027', 'Feb'])
})

test('labels do not depend on the zone of the browser', () => {
  const before = process.env.TZ
  try {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
      process.env.TZ = zone
      expect(bucketPoints(['2026-11-21'], 'day')[0]?.title).toBe('Sat, 21 Nov 2026')
    }
  } finally {
    process.env.TZ = before
  }
})
