import { expect, test } from 'vitest'
import { addressOfPage, pageOfList } from './paging'

const seven = [1, 2, 3, 4, 5, 6, 7]

test.each([
  // asked for     what is on it                                  undefined: there is no such page
  [undefined, { things: [1, 2, 3], page: 1, pages: 3 }],
  ['1', { things: [1, 2, 3], page: 1, pages: 3 }],
  ['3', { things: [7], page: 3, pages: 3 }],
  ['4', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['2x', undefined],
  ['', undefined],
  ['99999999999', undefined],
])('page %s of seven, three on each', (asked, expected) =>
  expect(pageOfList(seven, asked, 3)).toEqual(expected),
)

test('an empty list has a first page', () => {
  expect(pageOfList([], undefined, 10)).toEqual({ things: [], page: 1, pages: 1 })
})

test('the first page is the list itself', () => {
  expect([1, 2].map((page) => addressOfPage('/blog', page, {}))).toEqual(['/blog', '/blog?page=2'])
  expect(
    [1, 2].map((page) => addressOfPage('/blog', page, { staticServer: 'https://tilth.example' })),
  ).toEqual(['/blog', '/blog/page/2'])
})
