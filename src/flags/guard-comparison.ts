import type { Side, SidesAnswer } from '../insights/exposure'
import { type GuardMetric, isHoped, type Reading } from './guard'

/** How much worse those are who got it than they may be. Over nothing: the limit is broken as far as was seen. */
interface Excess {
  by: number
  /** Of `by`, as it would come out if all of it happened again and again. */
  variance: number
  /** How many pairs of equally large sides would say as much. */
  weight: number
}

/**
 * At a look every minute some numbers look bad by chance sooner or later; of a hundred guards whose flags are exactly as
 * bad as they may be, one is to roll back for that, however long it is looked after.
 */
const chanceOfFalseAlarm = 0.01

/** What the times between the steps say together about one metric. */
export function readingOf(
  metric: GuardMetric,
  compared: readonly SidesAnswer[],
  { minimum, metrics }: { minimum: number; metrics: number },
): Reading {
  const both = compared.filter(({ got, others }) => got.persons > 1 && others.persons > 1)
  const people = mostPeople(compared)
  const figures = { ...together(metric, both), people }
  if (Math.min(people.got, people.others) < minimum) return { state: 'too-few', ...figures }
  const excess = pooled(both.map((one) => excessOf(metric, one)))
  const bar = thresholdAt(excess.weight / (minimum / 2), chanceOfFalseAlarm / metrics)
  return { state: deviations(excess) > bar ? 'broken' : 'well', ...figures }
}

function mostPeople(compared: readonly SidesAnswer[]): Reading['people'] {
  const [best] = compared
    .map(({ got, others }) => ({ got: got.persons, others: others.persons }))
    .toSorted((one, other) => fewer(other) - fewer(one))
  return best ?? { got: 0, others: 0 }
}
const fewer = ({ got, others }: Reading['people']): number => Math.min(got, others)

/** For people to read: each step counts by how much it says. */
function together(metric: GuardMetric, compared: readonly SidesAnswer[]): Pick<Reading, 'got' | 'others'> {
  const figureOf = ({ mean, p75 }: Side): number => (metric.type === 'vital' ? p75 : mean) ?? 0
  const weights = compared.map(weightOf)
  const whole = weights.reduce((sum, one) => sum + one, 0)
  const average = (side: keyof SidesAnswer) =>
    whole === 0
      ? null
      : compared.reduce((sum, one, i) => sum + figureOf(one[side]) * (weights[i] ?? 0), 0) / whole
  return { got: average('got'), others: average('others') }
}

const weightOf = ({ got, others }: SidesAnswer): number =>
  (got.persons * others.persons) / (got.persons + others.persons)

function excessOf(metric: GuardMetric, compared: SidesAnswer): Excess {
  return {
    ...(metric.type === 'vital' ? ofPercentile(compared) : ofMeans(metric, compared)),
    weight: weightOf(compared),
  }
}

/**
 * Welch’s: two means whose numbers vary differently; of ones and zeros it is the test of two proportions. But neither
 * side is taken to vary less than both do together: of something rare one of them has none for a while, and would seem
 * to be sure of it.
 */
function ofMeans(metric: GuardMetric, { got, others }: SidesAnswer): Omit<Excess, 'weight'> {
  const limit = limitOf(metric)
  const difference = (got.mean ?? 0) - limit * (others.mean ?? 0)
  const least = varianceOfBoth(got, others)
  const errorOf = (side: Side) => Math.max(side.variance ?? 0, least) / side.persons
  return {
    by: isHoped(metric) ? -difference : difference,
    variance: errorOf(got) + limit ** 2 * errorOf(others),
  }
}

const varianceOfBoth = (one: Side, other: Side): number =>
  (one.persons * (one.variance ?? 0) + other.persons * (other.variance ?? 0)) / (one.persons + other.persons)

/**
 * `above` are those beyond the limit times what three of four of the others see at most. If it were just as bad as it
 * may be, that would be one in four of them; a test of two proportions, since where the others’ percentile lies is
 * known no better than such a share of them.
 */
function ofPercentile({ got, others }: SidesAnswer): Omit<Excess, 'weight'> {
  const spread = 0.25 * 0.75
  return { by: got.above / got.persons - 0.25, variance: spread / got.persons + spread / others.persons }
}

/** By how much the others' figure is multiplied to be just bearable. */
export const limitOf = (metric: GuardMetric): number =>
  Math.max(0, 1 + (isHoped(metric) ? -metric.worse : metric.worse) / 100)

function pooled(parts: readonly Excess[]): Excess {
  const weight = parts.reduce((sum, part) => sum + part.weight, 0)
  const sum = (of: (part: Excess) => number) => parts.reduce((all, part) => all + of(part), 0)
  return {
    by: sum((part) => part.weight * part.by) / weight,
    variance: sum((part) => part.weight ** 2 * part.variance) / weight ** 2,
    weight,
  }
}

/** In standard deviations. Where nothing varies, what is worse at all is worse for sure. */
const deviations = ({ by, variance }: Excess): number => (by > 0 ? by / Math.sqrt(variance) : 0)

/**
 * How many standard deviations are no chance any more, with `information` as a multiple of what there was at the first
 * look: the one-sided normal mixture boundary of Robbins, which holds at all looks at once
 * (Waudby-Smith et al., Time-uniform central limit theory, 2021, section 3).
 */
export function thresholdAt(information: number, chance: number): number {
  const grown = information + 1
  return Math.sqrt(2 * (grown / information) * Math.log(1 + Math.sqrt(grown) / (2 * chance)))
}
