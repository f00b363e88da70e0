import { expect, test } from 'vitest'
import { numberIn, stepped } from './NumberInput'

test.each([
  ['12', 12],
  ['12.34', 12.34],
  ['12,5', 12.5],
  ['250,000', 250_000],
  ['1,250,000.5', 1_250_000.5],
  ['250 000', 250_000],
  ['-3', -3],
  ['.5', 0.5],
  ['7.', 7],
  ['', null],
  ['-', undefined],
  ['twelve', undefined],
  ['1e5', undefined],
])('%j is the number %j', (text, expected) => {
  expect(numberIn(text)).toBe(expected)
})

test('steps of a tenth add up', () => {
  expect(stepped(stepped(0, 0.1), 0.2)).toBe(0.3)
})
