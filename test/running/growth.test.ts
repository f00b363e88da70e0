import { describe, expect, test } from 'vitest'
import { expectLinear } from './growth'

const tooLong = /^how many/

/** Work that takes as long as is said, on a clock of its own. */
function worldOf(msOf: (size: number, run: number) => number) {
  let now = 0
  const sizes: number[] = []
  const work = (size: number) => () => {
    now += msOf(size, sizes.push(size))
  }
  const expected = (size: number) => expectLinear(work, size, () => now)
  return { expected, runs: () => sizes.length, largest: () => Math.max(...sizes) }
}

describe('work that takes', () => {
  test.each<[string, (size: number, run: number) => number]>([
    ['as long as its input is', (size) => size],
    ['the same for every input', () => 10],
    ['a little for every input, and then as long as it is', (size) => 0.1 + size / 1000],
    ['the logarithm longer, as sorting does', (size) => (size * Math.log2(size)) / 1000],
    ['twice as long from some size on', (size) => (size > 150 ? 2 * size : size)],
    ['far longer now and then', (size, run) => (run % 7 === 0 ? 50 * size : size)],
    ['far longer at first', (size, run) => (run < 30 && size > 100 ? 50 * size : size)],
    ['far longer since the largest input so far', (size, run) => (run < 17 ? size : 4 * size)],
  ])('%s is linear', async (_what, msOf) => {
    await worldOf(msOf).expected(100)
  })

  test.each<[string, (size: number, run: number) => number]>([
    ['the square of its input', (size) => size ** 2],
    ['a little of the square', (size) => size + size ** 2 / 20],
    ['the square, and far longer now and then', (size, run) => (run % 7 === 0 ? 50 : 1) * size ** 2],
    [
      'the square, and three times that for the smaller size at first',
      (size, run) => (run < 33 && size === 100 ? 3 : 1) * size ** 2,
    ],
    ['twice as long for each letter more', (size) => 2 ** (size / 10)],
  ])('%s is not', async (_what, msOf) => {
    await expect(worldOf(msOf).expected(100)).rejects.toThrow(tooLong)
  })

  test('twice as long for each letter is noticed long before its full size', async () => {
    const { expected, largest } = worldOf((size) => 2 ** size)
    await expect(expected(10_000)).rejects.toThrow(tooLong)
    expect(largest()).toBeLessThan(100)
  })

  test('a hundredth of a millisecond is measured a thousand times', async () => {
    const { expected, runs } = worldOf((size) => size / 10_000)
    await expected(100)
    expect(runs()).toBeGreaterThan(1000)
  })
})

/** Pairs of letters, each of which is looked at. */
const pairsOf = (size: number) => () => {
  let pairs = 0
  for (let one = 0; one < size; one++) for (let other = 0; other < size; other++) pairs += (one ^ other) & 1
  return pairs
}

test('by the real clock, loops in loops are told from a loop, in promises too', async () => {
  await expect(expectLinear(pairsOf, 1000)).rejects.toThrow(tooLong)
  await expectLinear((size) => pairsOf(Math.sqrt(size)), 1_000_000)
  await expectLinear((size) => async () => await Promise.resolve().then(pairsOf(Math.sqrt(size))), 1_000_000)
})
