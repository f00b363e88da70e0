import { describe, expect, test } from 'vitest'
import { chanceAbove } from './bayesian'
import {
  chancesOfLargestMean,
  chancesOfLargestShare,
  meanBeliefs,
  movedPercent,
  shareBelief,
  thompsonPercentages,
} from './best-arm'

describe('the chance to be the best of several shares, by scipy.integrate.quad', () => {
  test.each<[[number, number][], number[]]>([
    [
      [
        [11, 91],
        [21, 81],
      ],
      [0.0248269668471, 0.975173033153],
    ],
    [
      [
        [1, 1],
        [1, 1000],
      ],
      [0.999000999001, 0.000999000999001],
    ],
    [
      [
        [120, 1880],
        [140, 1860],
        [131, 1869],
      ],
      [0.0574394599302, 0.677849043957, 0.264711496113],
    ],
    [
      [
        [50_001, 950_001],
        [50_301, 949_701],
      ],
      [0.16553923138, 0.83446076862],
    ],
    [
      [
        [3.5, 40.25],
        [7.75, 38.5],
        [2.25, 20],
        [1, 9],
      ],
      [0.0512635109513, 0.607627276789, 0.150519142742, 0.190590069518],
    ],
  ])('%j', (arms, chances) => {
    const found = chancesOfLargestShare(arms.map(([alpha, beta]) => ({ alpha, beta })))
    found.forEach((chance, i) => expect(chance).toBeCloseTo(chances[i] ?? 0, 10))
  })

  test('of two shares it is the closed form', () => {
    const [a, b] = [
      { alpha: 31, beta: 470 },
      { alpha: 45, beta: 456 },
    ]
    expect(chancesOfLargestShare([a, b])[1]).toBeCloseTo(chanceAbove(a, b), 11)
  })
})

describe('the chance to be the best of several means, by scipy.integrate.quad', () => {
  test.each<[[number, number][], number[]]>([
    [
      [
        [10, 1],
        [11, 2],
      ],
      [0.327360423009, 0.672639576991],
    ],
    [
      [
        [20.1, 0.3],
        [20.4, 0.25],
        [19, 1.5],
      ],
      [0.182184945681, 0.648177116621, 0.169637937698],
    ],
    [
      [
        [5, 0.01],
        [5.02, 1],
      ],
      [0.492022085116, 0.507977914884],
    ],
  ])('%j', (arms, chances) => {
    const found = chancesOfLargestMean(arms.map(([mean, standardDeviation]) => ({ mean, standardDeviation })))
    found.forEach((chance, i) => expect(chance).toBeCloseTo(chances[i] ?? 0, 10))
  })

  test('means that are all alike have the same chance', () => {
    const alike = { mean: 3, variance: 0, units: 40 }
    expect(chancesOfLargestMean(meanBeliefs([alike, alike, alike]))).toEqual([1 / 3, 1 / 3, 1 / 3])
  })
})

test('a share without any success is still possible, and one without units is unknown', () => {
  expect(shareBelief(0, 50)).toEqual({ alpha: 1, beta: 51 })
  expect(shareBelief(0, 0)).toEqual({ alpha: 1, beta: 1 })
})

test('the prior of a mean is worth one unit of all arms', () => {
  const [one] = meanBeliefs([
    { mean: 10, variance: 4, units: 99 },
    { mean: 20, variance: 4, units: 99 },
  ])
  // the units of both arms together have a mean of 15 and a variance of 4 + 25
  expect(one?.mean).toBeCloseTo((99 * 10 + 15) / 100, 12)
  expect(one?.standardDeviation).toBeCloseTo(Math.sqrt((99 * 4 + 29) / 100 / 100), 12)
})

describe('percentages by Thompson sampling', () => {
  test.each<[number[], number, number[]]>([
    [[0.5, 0.5], 5, [50, 50]],
    [[1, 0], 5, [95, 5]],
    [[0.9, 0.1], 5, [86, 14]],
    [[1 / 3, 1 / 3, 1 / 3], 5, [34, 33, 33]],
    [[0.994, 0.003, 0.003], 1, [98, 1, 1]],
    [[0.7, 0.2, 0.1], 30, [37, 32, 31]],
  ])('chances of %j with at least %d% each', (chances, smallest, percentages) => {
    const found = thompsonPercentages(chances, smallest)
    expect(found).toEqual(percentages)
    expect(found.reduce((sum, one) => sum + one, 0)).toBe(100)
    expect(Math.min(...found)).toBeGreaterThanOrEqual(smallest)
  })
})

test.each<[number[], number[], number]>([
  [[50, 50], [50, 50], 0],
  [[50, 50], [70, 30], 20],
  // the middle arm keeps its share, and most of its people
  [[40, 20, 40], [50, 20, 30], 20],
  [[100, 0], [0, 100], 100],
])('from %j to %j, %d% of all people get another arm', (before, after, moved) => {
  expect(movedPercent(before, after)).toBeCloseTo(moved, 10)
})
