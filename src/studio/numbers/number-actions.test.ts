import { expect, test } from 'vitest'
import { paths } from '#studio/paths'
import { isNumberAddress } from './number-address'
import { actionsFor, linkedNumber, numberActions } from './number-actions'

const row = paths.personsBehind(
  'acme',
  { kind: 'breakdown', dimensions: ['country'] },
  { dimension: 'country', value: 'DE' },
)
const cell = paths.personsBehind('acme', { kind: 'retention' }, { cohort: 0, interval: 1 })

function offered(address: string): string[] {
  const number = linkedNumber(address)
  if (!number) throw new Error(`${address} is no number.`)
  return numberActions.flatMap(({ id, hrefOf }) => (hrefOf(number) === undefined ? [] : [id]))
}

test.each([
  [
    'a row of web analytics',
    row,
    ['who', 'compare', 'segment', 'cohort', 'flag', 'survey', 'letter', 'alert'],
  ],
  ['a cell of a retention table', cell, ['who', 'cohort', 'flag', 'survey', 'letter']],
])('%s offers what applies to it', (_, address, expected) => expect(offered(address)).toEqual(expected))

test('a role is offered the forms that it may send', () => {
  expect(actionsFor('viewer')).toEqual(['who', 'compare'])
  expect(actionsFor('editor')).toEqual(numberActions.map(({ id }) => id))
})

test.each([
  [row, true],
  [cell, true],
  [`${row}&page=2`, false],
  ['/studio/acme/people', false],
  ['https://example.com/studio/acme/people/behind?question=a', false],
])('%s is a number: %s', (address, expected) => expect(isNumberAddress(address)).toBe(expected))

test('a query that an address cut short is no number', () =>
  expect(linkedNumber('/studio/acme/people/behind?question=%7B&point=1')).toBeUndefined())
