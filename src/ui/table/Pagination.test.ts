import { expect, test } from 'vitest'
import { shownPages } from './Pagination'

test.each([
  [1, 1, '1'],
  [1, 7, '1 2 3 4 5 6 7'],
  [1, 20, '1 2 gap 20'],
  [3, 20, '1 2 3 4 gap 20'],
  // A gap of one page would be as wide as the page.
  [4, 20, '1 2 3 4 5 gap 20'],
  [10, 20, '1 gap 9 10 11 gap 20'],
  [17, 20, '1 gap 16 17 18 19 20'],
  [20, 20, '1 gap 19 20'],
])('on page %d of %d one sees %s', (page, pages, shown) =>
  expect(shownPages(page, pages).join(' ')).toBe(shown),
)
