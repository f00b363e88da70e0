import { expect, test } from 'vitest'
import { oneSidedBoundary, twoSidedBoundary } from './sequential'

test.each([
  [1, 4.134],
  [10, 3.355],
  [100, 3.544],
])(
  'with %d times the mixture’s information, an estimate stays within %d standard errors',
  (information, reach) => {
    expect(oneSidedBoundary(information, 0.01)).toBeCloseTo(reach, 2)
  },
)

test('a bound to both sides is wider than one to one side', () => {
  for (const information of [0.1, 1, 10, 1000])
    expect(twoSidedBoundary(information, 0.05)).toBeGreaterThan(oneSidedBoundary(information, 0.05))
})
