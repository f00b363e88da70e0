import { describe, expect, test } from 'vitest'
import { seededRandom } from '#test/random/seeded-random'
import { present } from '#test/product/fixture'
import { measuredSum, shrink, type UncertainValue } from './shrinkage'

/** Effects of coaching in eight schools: D. B. Rubin, 1981, as in Bayesian Data Analysis, table 5.2. */
const schools: UncertainValue[] = [
  [28, 15],
  [8, 10],
  [-3, 16],
  [7, 11],
  [-1, 9],
  [1, 11],
  [18, 10],
  [12, 18],
].map(([value = 0, standardError = 0]) => ({ value, standardError }))

describe('effects are drawn towards what they have in common', () => {
  test('by as much as in the published analysis of eight schools', () => {
    const { mean, spread, sumOf } = present(shrink(schools))
    // Stan’s samples of the same model: github.com/stan-dev/rstan/wiki/RStan-Getting-Started
    expect(mean.value).toBeCloseTo(7.9, 0)
    expect(mean.standardError).toBeCloseTo(5.2, 0)
    expect(spread).toBeCloseTo(6.6, 0)
    const published = [11.4, 7.9, 6.2, 7.7, 5.1, 6.1, 10.7, 8.5]
    published.forEach((value, i) => expect(Math.abs(sumOf([i]).value - value)).toBeLessThan(0.2))
  })

  test('to their weighted mean, where errors explain all that differs', () => {
    const alike = [10, 11, 9, 10, 10, 11, 9].map((value) => ({ value, standardError: 10 }))
    const { mean, sumOf } = present(shrink(alike))
    expect(mean.value).toBeCloseTo(10, 6)
    expect(sumOf([1]).value - sumOf([2]).value).toBeLessThan(0.4)
    expect(sumOf([1]).standardError).toBeLessThan(7)
  })

  test('hardly at all, where they are measured well', () => {
    const values = [-30, 0, 12, 40, 5]
    const { sumOf } = present(shrink(values.map((value) => ({ value, standardError: 0.1 }))))
    values.forEach((value, i) => {
      expect(sumOf([i]).value).toBeCloseTo(value, 2)
      expect(sumOf([i]).standardError).toBeCloseTo(0.1, 3)
    })
  })

  test('all together keep their sum, where each is measured as well', () => {
    const values = [-3, 0, 1.2, 4, 0.5]
    const { sumOf } = present(shrink(values.map((value) => ({ value, standardError: 2 }))))
    expect(sumOf(values.map((_, i) => i)).value).toBeCloseTo(2.7, 9)
    expect(sumOf([]).value).toBe(0)
  })

  test('in whatever unit they are', () => {
    const { sumOf } = present(shrink(schools))
    const inPercent = present(
      shrink(
        schools.map(({ value, standardError }) => ({
          value: value / 100,
          standardError: standardError / 100,
        })),
      ),
    )
    expect(inPercent.sumOf([0, 6]).value * 100).toBeCloseTo(sumOf([0, 6]).value, 9)
    expect(inPercent.sumOf([0, 6]).standardError * 100).toBeCloseTo(sumOf([0, 6]).standardError, 9)
  })

  test('but not two, of which no spread is known', () => {
    expect(shrink(schools.slice(0, 2))).toBeUndefined()
  })
})

test('measured effects add up with the errors of independent ones', () => {
  const sum = measuredSum([
    { value: 2, standardError: 3 },
    { value: -1, standardError: 4 },
  ])
  expect(sum).toEqual({ value: 1, standardError: 5 })
  expect(measuredSum([])).toEqual({ value: 0, standardError: 0 })
})

const programmes = 800

/** Experiments of a programme: true effects around 0.3 %, errors of 1 to 4 %, and the best quarter shipped. */
function aProgramme(random: () => number, { experiments, spread }: { experiments: number; spread: number }) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const truths = Array.from({ length: experiments }, () => 0.003 + spread * normal())
  const measured = truths.map((truth): UncertainValue => {
    const standardError = 0.01 + 0.03 * random()
    return { value: truth + standardError * normal(), standardError }
  })
  const best = measured
    .map(({ value, standardError }, index) => ({ index, z: value / standardError }))
    .toSorted((one, other) => other.z - one.z)
    .slice(0, Math.round(experiments / 4))
    .map(({ index }) => index)
  return { measured, best, truth: best.reduce((sum, i) => sum + (truths[i] ?? 0), 0) }
}

describe('of winners that were chosen by what was measured', () => {
  const covers = ({ value, standardError }: UncertainValue, truth: number) =>
    Math.abs(value - truth) < 1.96 * standardError

  test.each([
    { experiments: 8, spread: 0.02 },
    { experiments: 20, spread: 0.01 },
    { experiments: 20, spread: 0.03 },
    { experiments: 40, spread: 0.02 },
  ])('the measured sum is too large, the shrunk one is not: %o', (shape) => {
    const random = seededRandom(42)
    let [measuredBias, shrunkBias, coveredMeasured, coveredShrunk] = [0, 0, 0, 0]
    for (let i = 0; i < programmes; i++) {
      const { measured, best, truth } = aProgramme(random, shape)
      const asMeasured = measuredSum(best.flatMap((index) => measured[index] ?? []))
      const shrunk = present(shrink(measured)).sumOf(best)
      measuredBias += (asMeasured.value - truth) / programmes
      shrunkBias += (shrunk.value - truth) / programmes
      coveredMeasured += Number(covers(asMeasured, truth)) / programmes
      coveredShrunk += Number(covers(shrunk, truth)) / programmes
    }
    expect(measuredBias).toBeGreaterThan(0.02)
    expect(Math.abs(shrunkBias)).toBeLessThan(measuredBias / 4)
    expect(coveredMeasured).toBeLessThan(0.9)
    expect(coveredShrunk).toBeGreaterThan(0.92)
    expect(coveredShrunk).toBeLessThan(0.99)
  })
})
