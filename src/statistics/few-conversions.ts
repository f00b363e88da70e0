import { chanceAbove } from './bayesian'
import type { Proportion } from './proportions'

/**
 * The one-sided p-value that the other share is not above the first, of Fisher's exact test with half of the probability
 * of what was observed (mid-p), so that of rare conversions it is neither too sure nor too timid. Both tails are those of
 * beta distributions: P. Altham, Exact Bayesian analysis of a 2 × 2 contingency table, 1969.
 */
export function exactShareP(one: Proportion, other: Proportion): number {
  const [missed, otherMissed] = [one.size - one.count, other.size - other.count]
  const atLeast =
    other.count === 0 || missed === 0
      ? 1
      : 1 - chanceAbove({ alpha: one.count + 1, beta: missed }, { alpha: other.count, beta: otherMissed + 1 })
  const more =
    one.count === 0 || otherMissed === 0
      ? 0
      : 1 - chanceAbove({ alpha: one.count, beta: missed + 1 }, { alpha: other.count + 1, beta: otherMissed })
  return (atLeast + more) / 2
}

/** The probability that the other share is above the first, where every share is as likely as another beforehand. */
export const chanceOfLargerShare = (one: Proportion, other: Proportion): number =>
  chanceAbove(posteriorOf(one), posteriorOf(other))

const posteriorOf = ({ count, size }: Proportion) => ({ alpha: count + 1, beta: size - count + 1 })
