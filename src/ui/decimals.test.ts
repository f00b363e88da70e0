import { expect, test } from 'vitest'
import { currencyDecimals, type DecimalUnit, withDecimals } from './decimals'

test.each<[value: number, decimals: number, unit: DecimalUnit | undefined, written: string]>([
  [0.07, 2, 'percent', '7.00%'],
  [-0.0561, 0, 'percent', '−6%'],
  [12, 1, undefined, '12.0'],
  [1234.5, 0, 'number', '1,235'],
  [3.2, 3, { currency: 'EUR' }, '€3.200'],
  [-3.2, 0, { currency: 'JPY' }, '−¥3'],
  [0.4, 2, { suffix: 'points' }, '0.40 points'],
  [-0.0001, 1, 'percent', '0.0%'],
  [Number.POSITIVE_INFINITY, 2, 'percent', '–'],
])('%d with %d decimals in %o is %s', (value, decimals, unit, written) =>
  expect(withDecimals(value, decimals, unit)).toBe(written),
)

test('currencies are paid in their own decimals', () =>
  expect(['EUR', 'JPY', 'KWD'].map(currencyDecimals)).toEqual([2, 0, 3]))
