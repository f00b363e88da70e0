/**
 * The sufficient statistics of some units with one or more values each: their number, the means of the values, and the
 * sums of the products of their deviations from the means. Everything that is said about an experiment is computed from
 * them. Deviations keep their precision where values are large and alike, which sums of squares do not.
 */
export interface Moments {
  n: number
  means: readonly number[]
  /** `deviations[i][j]` is the sum, over the units, of the product of the deviations of value i and value j; symmetric. */
  deviations: readonly (readonly number[])[]
}

export const noMoments = (values: number): Moments => ({
  n: 0,
  means: Array.from({ length: values }, () => 0),
  deviations: Array.from({ length: values }, () => Array.from({ length: values }, () => 0)),
})

/** The moments of units that are given one by one, a row of values each. */
export function momentsOf(units: readonly (readonly number[])[]): Moments {
  const n = units.length
  if (n === 0) return noMoments(0)
  const indexes = (units[0] ?? []).map((_, i) => i)
  const means = indexes.map((i) => compensatedSum(units.map((unit) => unit[i] ?? 0)) / n)
  const deviation = (unit: readonly number[], i: number) => (unit[i] ?? 0) - (means[i] ?? 0)
  return {
    n,
    means,
    deviations: indexes.map((i) =>
      indexes.map((j) => compensatedSum(units.map((unit) => deviation(unit, i) * deviation(unit, j)))),
    ),
  }
}

/**
 * The moments of disjoint groups of units together. T. Chan, G. Golub and R. LeVeque, Updating formulae and a pairwise
 * algorithm for computing sample variances, 1979.
 */
export function mergeMoments(all: readonly Moments[]): Moments {
  const filled = all.filter(({ n }) => n > 0)
  const [first] = filled
  if (!first) return all[0] ?? noMoments(0)
  const n = filled.reduce((sum, one) => sum + one.n, 0)
  const means = first.means.map(
    (_, i) => compensatedSum(filled.map((one) => one.n * (one.means[i] ?? 0))) / n,
  )
  const shift = (one: Moments, i: number) => (one.means[i] ?? 0) - (means[i] ?? 0)
  return {
    n,
    means,
    deviations: first.deviations.map((row, i) =>
      row.map((_, j) =>
        compensatedSum(
          filled.flatMap((one) => [one.deviations[i]?.[j] ?? 0, one.n * shift(one, i) * shift(one, j)]),
        ),
      ),
    ),
  }
}

/** Returns the moments of some values, in the order of `indexes`. */
export const pickMoments = ({ n, means, deviations }: Moments, indexes: readonly number[]): Moments => ({
  n,
  means: indexes.map((i) => means[i] ?? 0),
  deviations: indexes.map((i) => indexes.map((j) => deviations[i]?.[j] ?? 0)),
})

/** The sample covariances of the values. */
export const covariancesOf = ({ n, deviations }: Moments): number[][] =>
  deviations.map((row) => row.map((sum) => sum / (n - 1)))

/** A sum that does not lose small terms beside large ones: Neumaier, 1974. */
function compensatedSum(terms: readonly number[]): number {
  let [sum, lost] = [0, 0]
  for (const term of terms) {
    const next = sum + term
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum
    sum = next
  }
  return sum + lost
}
