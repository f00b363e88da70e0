import type { ExperimentAnswer } from '#insights/kinds/experiment/answer'
import { sampleRatioTest } from '#statistics/sample-ratio'
import { chiSquareTail } from '#statistics/special-functions'
import type { ExperimentPhase } from '../../internal/phases'

/** The split of a bandit: each time of constant weights is tested against its own weights, and the tests are summed. */
export interface WeightedSplit {
  p: number
  statistic: number
  /** The largest relative deviation of a variant from the number that was expected of it. */
  largestDeviation: number
  /** Units that took part: those whose exposure named the version of the flag. */
  units: number
}

/**
 * Tests the split of units whose exposure named the version by which they were decided. Other clients may decide by
 * earlier weights for a while, so that no split is expected of theirs. Undefined where there are too few to test.
 */
export function weightedSplit(
  { cells }: Pick<ExperimentAnswer, 'cells'>,
  variants: readonly string[],
  phases: readonly ExperimentPhase[],
): WeightedSplit | undefined {
  const sums = variants.map(() => ({ observed: 0, expected: 0 }))
  let [statistic, freedom] = [0, 0]
  for (const [phase, { weights }] of phases.entries()) {
    const observed = variants.map((variant) =>
      cells.reduce(
        (sum, cell) => (cell.variant === variant && cell.phase === phase ? sum + (cell.versioned ?? 0) : sum),
        0,
      ),
    )
    const shares = variants.map((variant) => weights[variant] ?? 0)
    const units = observed.reduce((sum, one) => sum + one, 0)
    const expected = shares.map((share) => (share * units) / 100)
    const test = sampleRatioTest(observed, shares)
    if (!test.isTestable) continue
    statistic += test.statistic
    freedom += shares.filter((share) => share > 0).length - 1
    sums.forEach((sum, i) => {
      sum.observed += observed[i] ?? 0
      sum.expected += expected[i] ?? 0
    })
  }
  if (freedom < 1) return undefined
  return {
    p: chiSquareTail(statistic, freedom),
    statistic,
    largestDeviation: Math.max(
      ...sums.map(({ observed, expected }) => (expected > 0 ? Math.abs(observed / expected - 1) : 0)),
    ),
    units: sums.reduce((sum, { observed }) => sum + observed, 0),
  }
}
