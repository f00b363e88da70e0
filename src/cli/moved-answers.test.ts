import { expect, test } from 'vitest'
import { readQuery } from '#insights/ask'
import { firstDayOf, queriesFor } from './moved-answers'

test('a move asks fourteen questions that insights can read', () => {
  const queries = queriesFor({
    id: 1,
    first: '2026-01-01',
    last: '2026-03-31',
    names: ['$pageview', 'signup'],
  })
  expect(queries).toHaveLength(14)
  expect(
    queries.map((query) => ({ query, read: readQuery(query) })).filter(({ read }) => !read.done),
  ).toEqual([])
})

test('a move asks about the last days with few enough events, and at least about the last day', () => {
  const day = (n: number, events: number) => ({ day: `2026-03-${n}`, events })
  expect(firstDayOf([])).toBe('1970-01-01')
  expect(firstDayOf([day(31, 9_000_000), day(30, 1)])).toBe('2026-03-31')
  expect(firstDayOf([day(31, 1_000_000), day(30, 900_000), day(29, 200_000), day(28, 1)])).toBe('2026-03-30')
  expect(firstDayOf([day(31, 5), day(14, 5)])).toBe('2026-03-14')
})
