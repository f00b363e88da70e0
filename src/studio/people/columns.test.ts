import { expect, test } from 'vitest'
import { columnLabel, columnsIn, columnsText } from './columns'

test('columns survive the address, whatever a property is called', () => {
  const columns = ['last', 'property:plan', 'property:a,b', 'property:100% "ü"', 'id']
  expect(columnsIn(columnsText(columns))).toEqual(columns)
})

test.each<[string | undefined, string[] | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['nonsense,%zz', undefined],
  ['property:', undefined],
  ['last,last,nonsense,property%3Aplan', ['last', 'property:plan']],
])('of “%s” only columns are taken, each once', (text, columns) => {
  expect(columnsIn(text)).toEqual(columns)
})

test('a column of a property has its label', () => {
  expect(['last', 'property:plan', 'property:$initial_referrer'].map(columnLabel)).toEqual([
    'Last seen',
    'plan',
    expect.any(String),
  ])
})
