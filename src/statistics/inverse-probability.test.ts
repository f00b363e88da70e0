import { describe, expect, test } from 'vitest'
import { seededRandom } from '#test/random/seeded-random'
import { chancesOfLargestShare, shareBelief, thompsonPercentages } from './best-arm'
import { inverseProbabilityMoments, type WeightedMoments } from './inverse-probability'
import { mergeMoments, type Moments, momentsOf } from './moments'

const valuesOf = (...values: number[]) => momentsOf(values.map((value) => [value]))
const meanOf = ({ means }: Moments) => means[0] ?? Number.NaN
const errorOf = ({ n, deviations }: Moments) => Math.sqrt((deviations[0]?.[0] ?? 0) / (n - 1) / n)
const repeated = (value: number, times: number): number[] => Array.from({ length: times }, () => value)
const share = (conversions: number, size: number) =>
  valuesOf(...repeated(1, conversions), ...repeated(0, size - conversions))

describe('moments of weighted units', () => {
  test('with one time they are those of the units', () => {
    const own = share(13, 80)
    const [arm] = inverseProbabilityMoments([
      [{ moments: own, probability: 0.5 }],
      [{ moments: share(9, 80), probability: 0.5 }],
    ])
    expect(arm?.effectiveUnits).toBeCloseTo(80, 9)
    expect(meanOf(arm?.moments ?? own)).toBeCloseTo(meanOf(own), 14)
    expect(errorOf(arm?.moments ?? own)).toBeCloseTo(errorOf(own), 14)
  })

  test('times with enough units are strata that count by the units of all arms', () => {
    const [arm] = inverseProbabilityMoments([
      [
        { moments: share(10, 100), probability: 0.5 },
        { moments: share(30, 60), probability: 0.15 },
      ],
      [
        { moments: share(10, 100), probability: 0.5 },
        { moments: share(170, 340), probability: 0.85 },
      ],
    ])
    // 200 units at 10 %, 400 at 50 %
    expect(meanOf(arm?.moments ?? noArm)).toBeCloseTo((200 * 0.1 + 400 * 0.5) / 600, 14)
    const [first, second] = [(0.1 * 0.9) / 99, (0.5 * 0.5) / 59]
    expect(errorOf(arm?.moments ?? noArm)).toBeCloseTo(Math.sqrt(first / 9 + (4 * second) / 9), 14)
  })

  test('times with few units are one stratum of weighted units, by numpy from single units', () => {
    const [, arm] = inverseProbabilityMoments([
      [
        { moments: valuesOf(...repeated(1, 30), ...repeated(2, 30)), probability: 0.5 },
        { moments: valuesOf(...repeated(3, 80)), probability: 0.8 },
      ],
      [
        { moments: valuesOf(1, 4, 2, 8, 5, 7, 1, 0, 3, 3, 9, 2), probability: 0.5 },
        { moments: valuesOf(6, 2, 9, 9, 4, 7, 8, 1, 5), probability: 0.2 },
      ],
    ])
    expect(meanOf(arm?.moments ?? noArm)).toBeCloseTo(5, 12)
    expect(arm?.effectiveUnits).toBeCloseTo(17.439560439560438, 12)
    expect(errorOf(arm?.moments ?? noArm)).toBeCloseTo(0.708366099693016, 12)
  })

  test('a time in which an arm had no chance compares nothing', () => {
    const [arm] = inverseProbabilityMoments([
      [
        { moments: share(10, 100), probability: 0.5 },
        { moments: share(90, 100), probability: 1 },
      ],
      [
        { moments: share(10, 100), probability: 0.5 },
        { moments: share(0, 0), probability: 0 },
      ],
    ])
    expect(arm?.moments.n).toBe(100)
    expect(meanOf(arm?.moments ?? noArm)).toBeCloseTo(0.1, 14)
  })

  test('an arm without units has no number', () => {
    const [arm] = inverseProbabilityMoments([
      [{ moments: share(0, 0), probability: 0.5 }],
      [{ moments: share(1, 10), probability: 0.5 }],
    ])
    expect(arm).toMatchObject({ effectiveUnits: 0, moments: { n: 0 } })
  })
})

const noArm = share(0, 0)

interface AdaptiveRun {
  naive: number
  weighted: number
  error: number
}

const present = (moments: Moments | undefined): Moments => moments ?? noArm

/** Ten days of a bandit whose conversions rise from day to day, with an effect that stays. */
function adaptiveRun(random: () => number, effect: number): AdaptiveRun {
  const control: Moments[] = []
  const treatment: Moments[] = []
  const probabilities: number[] = []
  for (let day = 0; day < 10; day++) {
    const probability = nextProbability(weightedArms(control, treatment, probabilities))
    const base = 0.1 + 0.04 * day
    const inTreatment = drawn(300, probability, random)
    control.push(share(drawn(300 - inTreatment, base, random), 300 - inTreatment))
    treatment.push(share(drawn(inTreatment, base + effect, random), inTreatment))
    probabilities.push(probability)
  }
  const [a, b] = weightedArms(control, treatment, probabilities).map(({ moments }) => moments)
  return {
    naive: meanOf(mergeMoments(treatment)) - meanOf(mergeMoments(control)),
    weighted: meanOf(present(b)) - meanOf(present(a)),
    error: Math.hypot(errorOf(present(a)), errorOf(present(b))),
  }
}

/** The number of units to which something with this probability happens. */
const drawn = (count: number, probability: number, random: () => number): number =>
  Array.from({ length: count }, random).filter((one) => one < probability).length

const weightedArms = (
  control: readonly Moments[],
  treatment: readonly Moments[],
  probabilities: readonly number[],
): WeightedMoments[] =>
  inverseProbabilityMoments([
    control.map((moments, i) => ({ moments, probability: 1 - (probabilities[i] ?? 0) })),
    treatment.map((moments, i) => ({ moments, probability: probabilities[i] ?? 0 })),
  ])

function nextProbability(arms: readonly WeightedMoments[]): number {
  const beliefs = arms.map(({ moments, effectiveUnits }) =>
    shareBelief(moments.means[0] ?? 0, effectiveUnits),
  )
  return (thompsonPercentages(chancesOfLargestShare(beliefs), 5)[1] ?? 0) / 100
}

test('where conversions rise while weights move, the plain difference is wrong and the weighted one is not', () => {
  const random = seededRandom(15)
  const effect = 0.04
  const runs = Array.from({ length: 400 }, () => adaptiveRun(random, effect))
  const meanIn = (of: (run: AdaptiveRun) => number) =>
    runs.reduce((sum, run) => sum + of(run), 0) / runs.length
  const chanceError = Math.sqrt(
    meanIn(({ weighted }) => (weighted - meanIn((one) => one.weighted)) ** 2) / runs.length,
  )
  expect(Math.abs(meanIn(({ weighted }) => weighted) - effect)).toBeLessThan(3 * chanceError)
  expect(meanIn(({ naive }) => naive) - effect).toBeGreaterThan(10 * chanceError)
  const covered = runs.filter(({ weighted, error }) => Math.abs(weighted - effect) <= 1.96 * error).length
  expect(covered / runs.length).toBeGreaterThan(0.92)
})
