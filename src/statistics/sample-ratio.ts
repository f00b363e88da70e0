import { chiSquareTail } from './special-functions'

/** Below it the split is not the configured one, and the results are shown with a warning. */
export const mismatchAlarm = 0.001

export interface SampleRatio {
  /** The probability of a split at least as far from the weights. */
  p: number
  statistic: number
  /** Whether each arm expects enough units for the approximation by a chi-square distribution. */
  isTestable: boolean
  /** Per arm: the configured and the observed share of the arms that have a weight, and the arm’s part of the statistic. */
  arms: readonly { expected: number; observed: number; part: number }[]
  /** The largest relative deviation of an arm from its expected number: the size of the mismatch. */
  largestDeviation: number
}

/** The fewest units that an arm expects in a chi-square test. W. Cochran, The χ² test of goodness of fit, 1952. */
const fewestExpected = 5

/** Whether the split differs from the weights by more than chance explains. */
export const isMismatch = ({ p, isTestable }: Pick<SampleRatio, 'p' | 'isTestable'>): boolean =>
  isTestable && p < mismatchAlarm

/** The chi-square test of the observed split against the configured weights. Arms without weight do not take part. */
export function sampleRatioTest(observed: readonly number[], weights: readonly number[]): SampleRatio {
  const isUsed = (i: number) => (weights[i] ?? 0) > 0
  const whole = observed.reduce((sum, count, i) => (isUsed(i) ? sum + count : sum), 0)
  const weight = weights.reduce((sum, one) => sum + Math.max(0, one), 0)
  const arms = observed.map((count, i) => {
    if (!isUsed(i) || whole === 0) return { expected: 0, observed: 0, part: 0 }
    const share = (weights[i] ?? 0) / weight
    const expected = share * whole
    return { expected: share, observed: count / whole, part: (count - expected) ** 2 / expected }
  })
  const statistic = arms.reduce((sum, { part }) => sum + part, 0)
  const freedom = weights.filter((one) => one > 0).length - 1
  return {
    p: whole === 0 || freedom < 1 ? 1 : chiSquareTail(statistic, freedom),
    statistic,
    isTestable: arms.every(({ expected }, i) => !isUsed(i) || expected * whole >= fewestExpected),
    arms,
    largestDeviation: Math.max(
      0,
      ...arms.map((arm) => (arm.expected > 0 ? Math.abs(arm.observed / arm.expected - 1) : 0)),
    ),
  }
}
