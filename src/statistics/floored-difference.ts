/** The numbers of one side of a comparison: how many, their mean and the variance of one of them. */
export interface ComparedSide {
  n: number
  mean: number
  variance: number
}

/**
 * The difference of the first mean and `factor` times the second, with its variance under repeated sampling. Neither side is
 * taken to vary less than both together: for a rare event, a side without any would otherwise seem certain. With ones and
 * zeros it is the test of two proportions, otherwise Welch’s.
 */
export function flooredDifference(
  one: ComparedSide,
  other: ComparedSide,
  factor = 1,
): { difference: number; variance: number } {
  const least = varianceOfBoth(one, other)
  const errorOf = ({ n, variance }: ComparedSide) => Math.max(variance, least) / n
  return {
    difference: one.mean - factor * other.mean,
    variance: errorOf(one) + factor ** 2 * errorOf(other),
  }
}

/** The variance of all numbers of both sides: within each, and between their means. */
function varianceOfBoth(one: ComparedSide, other: ComparedSide): number {
  const whole = one.n + other.n
  const within = (one.n * one.variance + other.n * other.variance) / whole
  return within + (one.n * other.n * (one.mean - other.mean) ** 2) / whole ** 2
}

/** The number of pairs of equally large sides with the same information. */
export const pairsIn = (one: number, other: number): number => (one * other) / (one + other)
