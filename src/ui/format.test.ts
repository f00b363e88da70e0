import { describe, expect, test } from 'vitest'
import {
  ago,
  amount,
  bytes,
  change,
  compact,
  date,
  dateTime,
  day,
  days,
  duration,
  money,
  month,
  number,
  percent,
  shortAmount,
  time,
  type Unit,
} from './format'

test.each([
  [0, '0'],
  [7, '7'],
  [999, '999'],
  [1000, '1k'],
  [12_345, '12.3k'],
  [999_499, '999k'],
  [999_950, '1M'],
  [4_560_000, '4.56M'],
  [7_200_000_000, '7.2B'],
  [2.41, '2.41'],
  [-12_345, '−12.3k'],
])('%d is short for %s', (value, written) => expect(compact(value)).toBe(written))

test.each([
  [1234567.891, '1,234,567.89'],
  [-3, '−3'],
  [-0.001, '0'],
])('%d is written out as %s', (value, written) => expect(number(value)).toBe(written))

test.each([
  [0, '0%'],
  [0.031, '3.1%'],
  [0.0994, '9.9%'],
  [0.412, '41%'],
  [1, '100%'],
  [-0.05, '−5%'],
  [-0.0001, '0%'],
  [Number.NaN, '–'],
  [Number.POSITIVE_INFINITY, '–'],
])('a share of %d is %s', (ratio, written) => expect(percent(ratio)).toBe(written))

test('a share can be asked for more exactly', () => expect(percent(0.41234, 2)).toBe('41.23%'))

test.each([
  [100, 112, '+12%'],
  [100, 96.6, '−3.4%'],
  [100, 100, '0%'],
  [0, 0, '0%'],
  // From nothing there is no percentage.
  [0, 5, 'new'],
  [-10, -5, '+50%'],
  // Less than can be written is no change.
  [100_000, 99_990, '0%'],
  [100_000, 100_010, '0%'],
  [100_000, 99_900, '−0.1%'],
])('from %d to %d is %s', (from, to, written) => expect(change(from, to)).toBe(written))

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [1_234_567, '1.23 MB'],
  [999_999, '1 MB'],
  [5e15, '5 PB'],
  [5e18, '5,000 PB'],
])('%d bytes are %s', (count, written) => expect(bytes(count)).toBe(written))

test.each([
  [0, '0ms'],
  [340, '340ms'],
  [999.6, '1s'],
  [4200, '4.2s'],
  [9960, '10s'],
  [59_999, '1m'],
  [83_000, '1m 23s'],
  [185_000, '3m 05s'],
  [3_600_000, '1h'],
  [7_500_000, '2h 05m'],
  [7_505_000, '2h 05m'],
  [90_000_000, '1d 1h'],
])('%d ms last %s', (ms, written) => expect(duration(ms)).toBe(written))

describe('seen from 21 November 2026, 12:00', () => {
  const now = '2026-11-21T12:00:00Z'
  test.each([
    ['2026-11-21T11:59:31Z', 'just now'],
    ['2026-11-21T12:00:20Z', 'just now'],
    ['2026-11-21T11:57:00Z', '3 minutes ago'],
    ['2026-11-21T09:10:00Z', '2 hours ago'],
    ['2026-11-20T10:00:00Z', 'yesterday'],
    ['2026-11-23T13:00:00Z', 'in 2 days'],
    ['2026-08-01T00:00:00Z', '3 months ago'],
    ['2024-01-01T00:00:00Z', '2 years ago'],
  ])('%s was %s', (moment, written) => expect(ago(moment, now)).toBe(written))
})

test.each([
  // The same moment is another day elsewhere.
  ['2026-11-20T23:30:05Z', 'Europe/Berlin', '21 Nov 2026', '00:30:05'],
  ['2026-11-20T23:30:05Z', 'America/Los_Angeles', '20 Nov 2026', '15:30:05'],
  ['2026-11-20T23:30:05Z', 'Asia/Kolkata', '21 Nov 2026', '05:00:05'],
  // In summer, Berlin is two hours ahead.
  ['2026-07-31T22:00:00Z', 'Europe/Berlin', '1 Aug 2026', '00:00:00'],
])('%s in %s', (moment, zone, onDate, atTime) => {
  expect(date(moment, zone)).toBe(onDate)
  expect(time(moment, zone)).toBe(atTime)
  expect(dateTime(moment, zone)).toBe(`${onDate}, ${atTime.slice(0, 5)}`)
})

test.each([
  ['2026-11-21', '2026-11-21', '21 Nov 2026'],
  ['2026-11-01', '2026-11-21', '1 – 21 Nov 2026'],
  ['2026-10-28', '2026-11-03', '28 Oct – 3 Nov 2026'],
  ['2025-12-30', '2026-01-02', '30 Dec 2025 – 2 Jan 2026'],
])('from %s to %s nothing is said twice', (from, to, written) => expect(days({ from, to })).toBe(written))

test('a calendar day and a month have no time zone', () => {
  expect(day('2026-01-01')).toBe('1 Jan 2026')
  expect(month('2026-01-01')).toBe('January 2026')
})

test.each([
  [1234.5, 'EUR', '€1,234.50'],
  [-3, 'USD', '−$3.00'],
  [1200, 'JPY', '¥1,200'],
])('%d %s', (sum, currency, written) => expect(money(sum, currency)).toBe(written))

test.each<[value: number | null | undefined, unit: Unit | undefined, full: string, short: string]>([
  [12_345.6, undefined, '12,345.6', '12.3k'],
  [0.0001, 'number', '0.0001', '0.0001'],
  [-0.00012, 'number', '−0.00012', '−0.00012'],
  [1e12, 'number', '1,000,000,000,000', '1T'],
  [0.4123, 'percent', '41.23%', '41%'],
  [83, 'seconds', '1m 23s', '1m 23s'],
  [0, 'seconds', '0s', '0s'],
  [-90_000, 'milliseconds', '−1m 30s', '−1m 30s'],
  [1_234_567, 'bytes', '1.23 MB', '1.23 MB'],
  [1_234_567.5, { currency: 'EUR' }, '€1,234,567.50', '€1.23M'],
  [-2500, { currency: 'USD' }, '−$2,500.00', '−$2.5k'],
  [12_345, { suffix: 'days' }, '12,345 days', '12.3k days'],
  [null, 'number', '–', '–'],
  [undefined, 'seconds', '–', '–'],
  [NaN, { currency: 'EUR' }, '–', '–'],
])('%d in %o is %s in full and %s in short', (value, unit, full, short) => {
  expect(amount(value, unit)).toBe(full)
  expect(shortAmount(value, unit)).toBe(short)
})
