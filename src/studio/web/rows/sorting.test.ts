import { expect, test } from 'vitest'
import { sortKeys } from '../row-columns'
import { headSort, rowSort, sortIn, sortPairs } from './RowsPage'

const ofPages = sortKeys('page', false)

test.each([
  [{}, undefined, []],
  [{ sort: 'toes' }, undefined, []],
  [{ sort: 'visits' }, undefined, []],
  [{ sort: 'bounceRate' }, { by: 'bounceRate', direction: 'descending' }, [['sort', 'bounceRate']]],
  [
    { sort: 'value', direction: 'ascending' },
    { by: 'value', direction: 'ascending' },
    [
      ['sort', 'value'],
      ['direction', 'ascending'],
    ],
  ],
])('pages at the address %j are sorted by %j, whose address is %j', (searched, sort, pairs) => {
  expect(sortIn(searched, ofPages)).toEqual(sort)
  expect(sortPairs(sort as ReturnType<typeof sortIn>)).toEqual(pairs)
})

test('every column of a list is sorted by what it shows', () => {
  for (const [dimension, hasGoal] of [
    ['page', false],
    ['page', true],
    ['entry', false],
    ['channel', true],
    ['event', false],
  ] as const)
    for (const by of sortKeys(dimension, hasGoal)) {
      const sort = { by, direction: 'ascending' as const }
      expect(rowSort(headSort(sort), sortKeys(dimension, hasGoal))).toEqual(sort)
    }
})
