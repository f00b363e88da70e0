import { type ComparedSide, flooredDifference, pairsIn } from '#statistics/floored-difference'
import { oneSidedBoundary } from '#statistics/sequential'
import type { Trial } from './post'

/** The number of persons who saw a variant, and of those who clicked or read. */
export interface VariantCounts {
  /** The variant's key. */
  variant: string
  shown: number
  clicks: number
  reads: number
}

export type TrialVerdict =
  /** No verdict before each variant was shown to `minimum` persons. */
  | { name: 'too-few'; minimum: number }
  /** `leader` is undefined if several are equally good, `daysLeft` if the end cannot be estimated. */
  | { name: 'undecided'; leader: string | undefined; daysLeft: number | undefined }
  | { name: 'won'; winner: string }
  /** The difference is too small to matter: the post keeps its own texts. */
  | { name: 'futile' }

/** The least persons for which the normal approximation holds. */
const minShown = 100
const maxTrialDays = 60
const maxShown = 100_000

/** The probability that a variant wins that is not the best, over all checks. */
const falseWinnerRate = 0.05

const dayMs = 86_400_000

/**
 * The verdict by the current numbers. The test is valid at any number of looks, so a trial may end as soon as there
 * is a winner.
 */
export function trialVerdict(
  { variants, metric, startedAt }: Pick<Trial, 'variants' | 'metric' | 'startedAt'>,
  counts: readonly VariantCounts[],
  now: Date,
): TrialVerdict {
  const results = variants.map(({ key }) => variantResult(key, metric, counts))
  const days = (now.getTime() - startedAt.getTime()) / dayMs
  const isShownEnough = results.every(({ shown }) => shown >= minShown)
  const best = soleLeader(results)
  const comparisons = best ? compareWithOthers(best, results) : []
  if (best && isShownEnough && comparisons.every((one) => isConclusive(one)))
    return { name: 'won', winner: best.key }
  const shown = results.reduce((sum, one) => sum + one.shown, 0)
  if (days >= maxTrialDays || shown >= maxShown) return { name: 'futile' }
  if (!isShownEnough) return { name: 'too-few', minimum: minShown }
  return { name: 'undecided', leader: best?.key, daysLeft: best && daysLeft(comparisons, { days, shown }) }
}

interface VariantResult {
  key: string
  shown: number
  share: number
}

function variantResult(
  key: string,
  metric: Trial['metric'],
  counts: readonly VariantCounts[],
): VariantResult {
  const found = counts.find(({ variant }) => variant === key)
  const shown = found?.shown ?? 0
  return { key, shown, share: found && shown > 0 ? found[metric] / shown : 0 }
}

/** Undefined if no variant is better than all others. */
function soleLeader(results: readonly VariantResult[]): VariantResult | undefined {
  const [first, second] = results.toSorted((one, other) => other.share - one.share)
  return first && second && first.share > second.share ? first : undefined
}

interface VariantComparison {
  /** The lead of the best one, in standard deviations. */
  deviations: number
  /** The amount of information, as a multiple of the minimum. */
  information: number
  chance: number
}

/**
 * Compares by one-sided tests, with the error rate divided by the number of variants. That covers all pairs: a winner
 * must beat every other, so a wrong winner must also beat the truly best variant, which is one comparison for each
 * variant that could.
 */
function compareWithOthers(best: VariantResult, results: readonly VariantResult[]): VariantComparison[] {
  const chance = falseWinnerRate / results.length
  return results
    .filter((other) => other !== best)
    .map((other) => ({
      deviations: deviationsBetween(best, other),
      information: (2 * pairsIn(best.shown, other.shown)) / minShown,
      chance,
    }))
}

/** The lead in standard deviations. */
function deviationsBetween(better: VariantResult, worse: VariantResult): number {
  const { difference, variance } = flooredDifference(sideOf(better), sideOf(worse))
  return difference / Math.sqrt(variance)
}

const sideOf = ({ share, shown }: VariantResult): ComparedSide => ({
  n: shown,
  mean: share,
  variance: share * (1 - share),
})

/** Whether the comparison would be conclusive with `times` as many persons and the same shares. */
const isConclusive = ({ deviations, information, chance }: VariantComparison, times = 1): boolean =>
  deviations * Math.sqrt(times) > oneSidedBoundary(information * times, chance)

/** Steps of 5 %; the estimate is no more precise than that. */
const durationStep = 1.05

function daysLeft(
  comparisons: readonly VariantComparison[],
  { days, shown }: { days: number; shown: number },
): number | undefined {
  const most = Math.min(maxTrialDays / days, maxShown / shown)
  for (let times = durationStep; times < most; times *= durationStep)
    if (comparisons.every((one) => isConclusive(one, times))) return Math.ceil(days * (times - 1))
  return undefined
}
