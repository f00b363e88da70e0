import { expect, test } from 'vitest'
import { addDays, addMonths, countDays, dayAt, inOrder, isDay, startOfMonth, weekday } from './dates'

test.each([
  ['2026-11-20T23:30:00Z', 'UTC', '2026-11-20'],
  ['2026-11-20T23:30:00Z', 'Europe/Berlin', '2026-11-21'],
  ['2026-11-21T07:00:00Z', 'Pacific/Honolulu', '2026-11-20'],
  ['2026-12-31T10:00:00Z', 'Pacific/Kiritimati', '2027-01-01'],
])('at %s in %s it is %s', (moment, zone, day) => expect(dayAt(new Date(moment), zone)).toBe(day))

test.each([
  ['2026-11-30', 1, '2026-12-01'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2026-03-01', -1, '2026-02-28'],
  ['2028-03-01', -1, '2028-02-29'],
  ['2000-02-28', 1, '2000-02-29'],
  ['2100-02-28', 1, '2100-03-01'],
  // Berlin's 29 March 2026 has 23 hours; a calendar does not care.
  ['2026-03-28', 2, '2026-03-30'],
])('%s and %d days', (day, days, then) => expect(addDays(day, days)).toBe(then))

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-03-31', -1, '2026-02-28'],
  ['2026-08-31', 1, '2026-09-30'],
  ['2028-02-29', 12, '2029-02-28'],
  ['2026-01-15', -1, '2025-12-15'],
  ['2026-12-15', 1, '2027-01-15'],
  ['2026-05-05', -29, '2023-12-05'],
])('%s and %d months', (day, months, then) => expect(addMonths(day, months)).toBe(then))

test('a month begins on its first day', () => expect(startOfMonth('2028-02-29')).toBe('2028-02-01'))

test.each([
  ['2026-11-21', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-11-31', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['tomorrow', false],
  ['', false],
])('"%s" is a day: %s', (text, so) => expect(isDay(text)).toBe(so))

test('weeks begin on Monday', () => {
  expect(weekday('2026-11-23')).toBe(0)
  expect(weekday('2026-11-22')).toBe(6)
})

test('a range is counted with both its ends', () => {
  expect(countDays({ from: '2026-11-21', to: '2026-11-21' })).toBe(1)
  expect(countDays({ from: '2028-02-01', to: '2028-03-01' })).toBe(30)
})

test('a range may be picked backwards', () => {
  expect(inOrder('2026-11-21', '2026-11-01')).toEqual({ from: '2026-11-01', to: '2026-11-21' })
})
