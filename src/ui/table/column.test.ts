import { expect, test } from 'vitest'
import { nextSort, type Sort } from './column'

const words = { key: 'name' }
const numbers = { key: 'visitors', numeric: true }

test.each<[string, typeof words | typeof numbers, Sort | undefined, Sort['direction']]>([
  ['words first from the first', words, undefined, 'ascending'],
  ['numbers first from the largest', numbers, undefined, 'descending'],
  ['another column starts over', numbers, { by: 'name', direction: 'ascending' }, 'descending'],
  ['the same column turns round', words, { by: 'name', direction: 'ascending' }, 'descending'],
  ['and back', numbers, { by: 'visitors', direction: 'descending' }, 'ascending'],
])('pressing a header sorts %s', (_, column, sort, direction) => {
  expect(nextSort(column, sort)).toEqual({ by: column.key, direction })
})
