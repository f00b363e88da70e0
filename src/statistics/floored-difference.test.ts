import { expect, test } from 'vitest'
import { flooredDifference, pairsIn } from './floored-difference'

const share = (n: number, p: number) => ({ n, mean: p, variance: p * (1 - p) })

test('of two shares, a side without any is as uncertain as both together', () => {
  const { difference, variance } = flooredDifference(share(100, 0), share(300, 0.08))
  expect(difference).toBeCloseTo(-0.08, 12)
  // both together: 24 of 400
  expect(variance).toBeCloseTo((0.06 * 0.94) / 100 + (0.08 * 0.92) / 300, 12)
})

test('of two means that vary alike, it is the variance of Welch’s test', () => {
  const { difference, variance } = flooredDifference(
    { n: 50, mean: 10, variance: 4 },
    { n: 80, mean: 10, variance: 4 },
    1.2,
  )
  expect(difference).toBeCloseTo(-2, 12)
  expect(variance).toBeCloseTo(4 / 50 + 1.44 * (4 / 80), 12)
})

test('sides of different sizes tell as much as pairs of their harmonic mean', () => {
  expect(pairsIn(100, 100)).toBe(50)
  expect(pairsIn(100, 300)).toBe(75)
})
