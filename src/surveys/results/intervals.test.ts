import { expect, test } from 'vitest'
import vectors from '#test/vectors/survey-statistics.json' with { type: 'json' }
import { meanEstimate, medianOf, npsEstimate, shareEstimate } from './intervals'

test.each(vectors.wilson)('the interval of $x in $n is $source', ({ x, n, ci, tolerance }) => {
  const { low, high } = shareEstimate(x, n) ?? {}
  expect(Math.abs((low ?? 0) - (ci[0] ?? 0))).toBeLessThan(tolerance)
  expect(Math.abs((high ?? 0) - (ci[1] ?? 0))).toBeLessThan(tolerance)
})

test('shares of nothing are not known, and intervals end at none and all', () => {
  expect(shareEstimate(0, 0)).toBeUndefined()
  expect(shareEstimate(0, 5)).toMatchObject({ value: 0, low: 0, high: expect.closeTo(0.4345, 4) })
  expect(shareEstimate(5, 5)).toMatchObject({ value: 1, low: expect.closeTo(0.5655, 4), high: 1 })
})

test.each([
  // promoters, passives, detractors → score, standard error: by hand
  [50, 30, 20, 30, 7.81],
  [1, 0, 0, 100, 0],
  [0, 4, 0, 0, 0],
  [0, 0, 3, -100, 0],
  [700, 200, 100, 60, 2.0976],
])('%d promoters, %d passives and %d detractors', (promoters, passives, detractors, value, error) => {
  const nps = npsEstimate(promoters, passives, detractors)
  expect(nps?.value).toBeCloseTo(value, 10)
  expect(nps?.standardError).toBeCloseTo(error, 2)
})

test('with many answers the NPS interval is that of the variance of −100, 0 and 100', () => {
  const nps = npsEstimate(70_000, 20_000, 10_000)
  expect(nps?.low).toBeCloseTo(60 - 1.96 * 0.20976, 2)
  expect(nps?.high).toBeCloseTo(60 + 1.96 * 0.20976, 2)
})

test('the NPS interval of few answers is never empty and never leaves −100 to 100', () => {
  for (let size = 1; size <= 12; size++)
    for (const [up, down] of splits(size)) {
      const { low = 0, high = 0, value = 0 } = npsEstimate(up, size - up - down, down) ?? {}
      expect(low).toBeGreaterThanOrEqual(-100)
      expect(high).toBeLessThanOrEqual(100)
      expect(low).toBeLessThanOrEqual(value)
      expect(high).toBeGreaterThanOrEqual(value)
      expect(high - low).toBeGreaterThan(5)
    }
})

test('swapping promoters and detractors mirrors the interval', () => {
  const [one, other] = [npsEstimate(9, 4, 2), npsEstimate(2, 4, 9)]
  expect(one?.low).toBeCloseTo(-(other?.high ?? 0), 10)
  expect(one?.high).toBeCloseTo(-(other?.low ?? 0), 10)
})

function* splits(size: number): Generator<[number, number]> {
  for (let up = 0; up <= size; up++) for (let down = 0; up + down <= size; down++) yield [up, down]
}

const logFactorials = [0]
for (let n = 1; n <= 200; n++) logFactorials.push((logFactorials[n - 1] ?? 0) + Math.log(n))
const logFactorial = (n: number): number => logFactorials[n] ?? 0
const timesLog = (count: number, share: number): number => (count === 0 ? 0 : count * Math.log(share))

/** The exact share of samples in which the interval contains the true score. */
function coverage(size: number, up: number, down: number): number {
  let covered = 0
  for (const [ups, downs] of splits(size)) {
    const rest = size - ups - downs
    const weight =
      logFactorial(size) -
      logFactorial(ups) -
      logFactorial(downs) -
      logFactorial(rest) +
      timesLog(ups, up) +
      timesLog(downs, down) +
      timesLog(rest, 1 - up - down)
    const { low = 0, high = 0 } = npsEstimate(ups, rest, downs) ?? {}
    if (low <= 100 * (up - down) && 100 * (up - down) <= high) covered += Math.exp(weight)
  }
  return covered
}

test.each([
  [10, 0.5, 0.2],
  [10, 0.3, 0.3],
  [10, 0.8, 0.05],
  [30, 0.5, 0.2],
  [30, 0.1, 0.6],
  [100, 0.5, 0.2],
  [100, 0.02, 0.03],
])('of %d answers, the NPS interval contains the true score in 95 of 100 samples', (size, up, down) => {
  expect(coverage(size, up, down)).toBeGreaterThan(0.925)
  expect(coverage(size, up, down)).toBeLessThan(0.995)
})

const scale = { least: 1, most: 7 }

test('a mean has Student’s interval, and does not leave its scale', () => {
  // 1:10 of R's t.test: mean 5.5, standard error 0.957427, t(9) = 2.262157
  const counts = new Map(Array.from({ length: 10 }, (_, i) => [i + 1, 1]))
  const { value, low, high } = meanEstimate(counts, { least: 0, most: 10 }) ?? {}
  expect([value, low, high]).toEqual([5.5, expect.closeTo(3.334149, 5), expect.closeTo(7.665851, 5)])
  expect(
    meanEstimate(
      new Map([
        [1, 1],
        [7, 1],
      ]),
      scale,
    ),
  ).toEqual({ value: 4, low: 1, high: 7 })
})

test('answers that are all alike leave room for others', () => {
  const { value, low = 0, high } = meanEstimate(new Map([[7, 3]]), scale) ?? {}
  expect([value, high]).toEqual([7, 7])
  expect(low).toBeLessThan(5)
  expect(meanEstimate(new Map(), scale)).toBeUndefined()
})

test('the median is the middle answer, or between the two middle ones', () => {
  expect(
    medianOf(
      new Map([
        [1, 2],
        [5, 1],
      ]),
    ),
  ).toBe(1)
  expect(
    medianOf(
      new Map([
        [5, 2],
        [1, 2],
      ]),
    ),
  ).toBe(3)
  expect(medianOf(new Map())).toBeUndefined()
})
