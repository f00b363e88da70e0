import { thresholdAt } from '../flags/guard-comparison'
import type { Trial } from './post'

/** To how many persons a variant was shown, and what they did then. */
export interface VariantCounts {
  /** The variant's key. */
  variant: string
  shown: number
  clicks: number
  reads: number
}

export type TrialVerdict =
  /** Nothing is said before each was shown to `minimum` persons. */
  | { name: 'too-few'; minimum: number }
  /** `leader` is undefined where several are equally good, `daysLeft` where it may not be known before it ends. */
  | { name: 'undecided'; leader: string | undefined; daysLeft: number | undefined }
  | { name: 'won'; winner: string }
  /** Whatever the difference is, it is too small to matter: the post keeps its own words. */
  | { name: 'futile' }

/** With fewer persons, shares vary in another way than is reckoned with here. */
export const leastShown = 100
export const longestTrialDays = 60
export const mostShown = 100_000

/** How often one may win that is not the best, however often it is looked at. */
const chanceOfFalseWinner = 0.05

const dayMs = 86_400_000

/** What the numbers say by now. It may be asked at any time, and as soon as there is a winner, that is that. */
export function verdictOn(
  { variants, metric, startedAt }: Pick<Trial, 'variants' | 'metric' | 'startedAt'>,
  counts: readonly VariantCounts[],
  now: Date,
): TrialVerdict {
  const tried = variants.map(({ key }) => triedFrom(key, metric, counts))
  const days = (now.getTime() - startedAt.getTime()) / dayMs
  const isShownEnough = tried.every(({ shown }) => shown >= leastShown)
  const best = bestOf(tried)
  const comparisons = best ? comparedWithOthers(best, tried) : []
  if (best && isShownEnough && comparisons.every((one) => isSure(one)))
    return { name: 'won', winner: best.key }
  const shown = tried.reduce((sum, one) => sum + one.shown, 0)
  if (days >= longestTrialDays || shown >= mostShown) return { name: 'futile' }
  if (!isShownEnough) return { name: 'too-few', minimum: leastShown }
  return { name: 'undecided', leader: best?.key, daysLeft: best && daysLeft(comparisons, { days, shown }) }
}

interface Tried {
  key: string
  shown: number
  share: number
}

function triedFrom(key: string, metric: Trial['metric'], counts: readonly VariantCounts[]): Tried {
  const found = counts.find(({ variant }) => variant === key)
  const shown = found?.shown ?? 0
  return { key, shown, share: found && shown > 0 ? found[metric] / shown : 0 }
}

/** Undefined where no one is better than all others. */
function bestOf(tried: readonly Tried[]): Tried | undefined {
  const [first, second] = tried.toSorted((one, other) => other.share - one.share)
  return first && second && first.share > second.share ? first : undefined
}

interface Comparison {
  /** By how many standard deviations the best one is better. */
  deviations: number
  /** How much is known, as a multiple of the least. */
  information: number
  chance: number
}

/**
 * One-sided, and for each variant its part of the chance. That is enough for all pairs: who wins must be better than every
 * other, so one that is not the best wins only where it also seems better than the best, and that is one comparison for
 * each variant that could.
 */
function comparedWithOthers(best: Tried, tried: readonly Tried[]): Comparison[] {
  const chance = chanceOfFalseWinner / tried.length
  return tried
    .filter((other) => other !== best)
    .map((other) => ({
      deviations: deviationsBetween(best, other),
      information: (2 * pairsIn(best, other)) / leastShown,
      chance,
    }))
}

const pairsIn = (one: Tried, other: Tried): number => (one.shown * other.shown) / (one.shown + other.shown)

/**
 * A variant is not taken to vary less than both do together: where nobody has opened one of them yet, it would seem to be
 * sure that nobody ever does.
 */
function deviationsBetween(better: Tried, worse: Tried): number {
  const both = (better.shown * better.share + worse.shown * worse.share) / (better.shown + worse.shown)
  const errorOf = ({ share, shown }: Tried) => Math.max(share * (1 - share), both * (1 - both)) / shown
  return (better.share - worse.share) / Math.sqrt(errorOf(better) + errorOf(worse))
}

/** With so many times the persons, would all of it go on as it went so far. */
const isSure = ({ deviations, information, chance }: Comparison, times = 1): boolean =>
  deviations * Math.sqrt(times) > thresholdAt(information * times, chance)

/** In steps of a twentieth: nobody knows it better. */
const longer = 1.05

function daysLeft(
  comparisons: readonly Comparison[],
  { days, shown }: { days: number; shown: number },
): number | undefined {
  const most = Math.min(longestTrialDays / days, mostShown / shown)
  for (let times = longer; times < most; times *= longer)
    if (comparisons.every((one) => isSure(one, times))) return Math.ceil(days * (times - 1))
  return undefined
}

/** For people. Variants go by their letters: "B". */
export function verdictInWords(verdict: TrialVerdict): string {
  if (verdict.name === 'too-few')
    return `Too early to say anything: each variant is to be shown to ${verdict.minimum} people first.`
  if (verdict.name === 'won') return `${nameOf(verdict.winner)} wins.`
  if (verdict.name === 'futile')
    return 'No variant is clearly better than the others. The post keeps its own words.'
  if (verdict.leader === undefined) return 'No variant leads.'
  const soFar = `${nameOf(verdict.leader)} leads, but that may be chance.`
  if (verdict.daysLeft === undefined) return `${soFar} At this pace it may never be known.`
  return `${soFar} At this pace it is known in about ${verdict.daysLeft === 1 ? 'a day' : `${verdict.daysLeft} days`}.`
}

const nameOf = (key: string): string => (key === 'a' ? 'A, the original,' : key.toUpperCase())
