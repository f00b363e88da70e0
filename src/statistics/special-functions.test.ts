import { expect, test } from 'vitest'
import reference from '#test/vectors/statistics-reference.json' with { type: 'json' }
import published from '#test/vectors/survey-statistics.json' with { type: 'json' }
import * as functions from './special-functions'

const named: Readonly<Record<string, (...numbers: number[]) => number>> = {
  normalCdf: (z = 0) => functions.normalCdf(z),
  normalQuantile: (p = 0) => functions.normalQuantile(p),
  studentTail: (t = 0, freedom = 0) => functions.studentTail(t, freedom),
  studentQuantile: (p = 0, freedom = 0) => functions.studentQuantile(p, freedom),
  chiSquareTail: (x = 0, freedom = 0) => functions.chiSquareTail(x, freedom),
  incompleteBeta: (a = 0, b = 0, x = 0) => functions.incompleteBeta(a, b, x),
  lnGamma: (x = 0) => functions.lnGamma(x),
}

test.each(reference.functions)(
  '$name of $arguments is $value to ten digits',
  ({ name, arguments: at, value }) => {
    const computed = named[name]?.(...at) ?? NaN
    expect(Math.abs(computed - value)).toBeLessThanOrEqual(1e-10 * Math.abs(value))
  },
)

test('quantiles are inverse to the distributions', () => {
  for (const p of [1e-12, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999_999]) {
    expect(functions.normalCdf(functions.normalQuantile(p))).toBeCloseTo(p, 12)
    for (const freedom of [0.8, 3, 55.5, 1e6])
      expect(1 - functions.studentTail(functions.studentQuantile(p, freedom), freedom)).toBeCloseTo(p, 12)
  }
})

test('both halves of a distribution make a whole', () => {
  for (const x of [0.01, 0.4, 3, 40]) {
    expect(functions.normalCdf(x) + functions.normalCdf(-x)).toBeCloseTo(1, 15)
    expect(functions.studentTail(x, 4) + functions.studentTail(-x, 4)).toBeCloseTo(1, 14)
  }
})

test.each(published.student)('Student’s tail above $t with $df degrees of freedom', ({ t, df, value }) => {
  expect(functions.studentTail(t, df) / value).toBeCloseTo(1, 7)
})

test.each([
  // from printed tables
  [1, 12.7062],
  [2, 4.3027],
  [3, 3.1824],
  [10, 2.2281],
  [30, 2.0423],
  [120, 1.9799],
  [1000, 1.9623],
])('95 of 100 values lie within Student’s quantile of %d degrees of freedom', (freedom, quantile) =>
  expect(functions.studentQuantile(0.975, freedom)).toBeCloseTo(quantile, 4),
)
