import { expect, test } from 'vitest'
import { comparisonWords, periodWords } from './period-words'

test.each([
  ['30d', 'Last 30 days'],
  ['this-month', 'This month'],
  ['45d', 'Last 45 days'],
  ['1y', 'This year'],
  ['90m', 'Last 90 minutes'],
  ['2026-11-01..2026-11-21', '1 – 21 Nov 2026'],
  ['2026-11-01T10:00:00Z..2026-11-01T12:30:00Z', '1 Nov 2026, 10:00 – 1 Nov 2026, 12:30 UTC'],
])('%s is called "%s"', (period, words) => {
  expect(periodWords(period)).toBe(words)
})

test.each([
  ['previous', 'Previous period'],
  ['year', 'Previous year'],
  ['previous-weekday', 'Previous period, same weekdays'],
  ['2026-01-01..2026-01-31', '1 – 31 Jan 2026'],
])('compared with %s', (compare, words) => {
  expect(comparisonWords(compare)).toBe(words)
})
