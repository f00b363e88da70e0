import { expect, test } from 'vitest'
import { growthOf } from './soak/memory-growth'

const megabyte = 1024 ** 2
const samples = (bytesAt: (n: number) => number): number[] =>
  Array.from({ length: 120 }, (_, n) => megabyte * (bytesAt(n) + (n % 5)))

test.each<[string, number, (n: number) => number]>([
  ['a leak', 40, (n) => 100 + n],
  ['memory that is flat', 0, () => 100],
  ['a cache that fills in the first half', 0, (n) => 100 + 2 * Math.min(n, 60)],
  ['a step', 0, (n) => (n < 90 ? 140 : 300)],
  ['a peak', 0, (n) => (n > 70 && n < 100 ? 400 : 100)],
  ['garbage between collections', 0, (n) => 100 + (n % 30)],
])('the soak takes %s for a growth of %i MB', (_, growth, bytesAt) => {
  expect(growthOf(samples(bytesAt))).toBe(growth * megabyte)
})
