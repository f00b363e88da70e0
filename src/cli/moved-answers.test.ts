import { expect, test } from 'vitest'
import { readQuery } from '#insights/ask'
import { queriesFor } from './moved-answers'

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
