/** Ways to adjust the p-values of several tests. */
export const adjustments = {
  /** Bounds the chance of any false finding. */
  holm: (p: readonly number[]) => stepDown(p, (rank) => p.length - rank),
  /** Bounds the share of false findings among all: Benjamini and Hochberg, 1995. */
  bh: (p: readonly number[]) => stepUp(p, (rank) => p.length / (rank + 1)),
} satisfies Record<string, (p: readonly number[]) => number[]>

export type Adjustment = keyof typeof adjustments

/** Adjusts from the smallest on: each adjusted value is at least the one before. */
function stepDown(p: readonly number[], factor: (rank: number) => number): number[] {
  const adjusted: number[] = []
  let bound = 0
  for (const [rank, i] of ascending(p).entries()) {
    bound = Math.max(bound, Math.min(1, (p[i] ?? 1) * factor(rank)))
    adjusted[i] = bound
  }
  return adjusted
}

/** Adjusts from the largest down: each adjusted value is at most the one before. */
function stepUp(p: readonly number[], factor: (rank: number) => number): number[] {
  const adjusted: number[] = []
  let bound = 1
  for (const [rank, i] of [...ascending(p).entries()].toReversed()) {
    bound = Math.min(bound, (p[i] ?? 1) * factor(rank))
    adjusted[i] = bound
  }
  return adjusted
}

const ascending = (p: readonly number[]): number[] =>
  p.map((_, i) => i).toSorted((one, other) => (p[one] ?? 0) - (p[other] ?? 0))
