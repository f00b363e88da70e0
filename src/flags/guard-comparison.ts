import { type ComparedSide, flooredDifference, pairsIn } from '#statistics/floored-difference'
import { oneSidedBoundary } from '#statistics/sequential'
import type { GuardMetricSide, GuardMetricAnswer } from '#insights/kinds/guard-metric/answer'
import { type GuardMetric, isBetterWhenHigher, type GuardReading } from './guard'

/** The amount by which people with the flag exceed the limit of a metric. The limit is exceeded above 0. */
export interface MetricExcess {
  by: number
  /** The variance of `by` under repeated sampling. */
  variance: number
  /** The number of pairs of equally large sides with the same information. */
  weight: number
}

/**
 * A guard checks every minute, so some metric looks bad by chance sooner or later. Of a hundred guards whose flags are
 * exactly at their limit, at most one rolls back by chance, however long it runs.
 */
const chanceOfFalseAlarm = 0.01

/** Combines the steps' figures for one metric. */
export function guardReadingOf(
  metric: GuardMetric,
  compared: readonly GuardMetricAnswer[],
  { minimum, metrics }: { minimum: number; metrics: number },
): GuardReading {
  const both = compared.filter(({ got, others }) => got.persons > 1 && others.persons > 1)
  const people = mostPeople(compared)
  const figures = { ...pooledFigures(metric, both), people }
  if (Math.min(people.got, people.others) < minimum) return { state: 'too-few', ...figures }
  const excess = pooled(both.map((one) => excessOf(metric, one)))
  return { state: isBeyondLimit(excess, { minimum, metrics }) ? 'broken' : 'well', ...figures }
}

/** Whether a limit is exceeded by more than chance explains at all looks together; `metrics` are looked at. */
export const isBeyondLimit = (
  excess: MetricExcess,
  { minimum, metrics }: { minimum: number; metrics: number },
): boolean =>
  deviations(excess) > oneSidedBoundary(excess.weight / (minimum / 2), chanceOfFalseAlarm / metrics)

function mostPeople(compared: readonly GuardMetricAnswer[]): GuardReading['people'] {
  const [best] = compared
    .map(({ got, others }) => ({ got: got.persons, others: others.persons }))
    .toSorted((one, other) => smallerSide(other) - smallerSide(one))
  return best ?? { got: 0, others: 0 }
}
const smallerSide = ({ got, others }: GuardReading['people']): number => Math.min(got, others)

/** Pooled figures for display: each step is weighted by its number of people. */
function pooledFigures(
  metric: GuardMetric,
  compared: readonly GuardMetricAnswer[],
): Pick<GuardReading, 'got' | 'others'> {
  const figureOf = ({ mean, p75 }: GuardMetricSide): number => (metric.type === 'vital' ? p75 : mean) ?? 0
  const weights = compared.map(weightOf)
  const whole = weights.reduce((sum, one) => sum + one, 0)
  const average = (side: keyof GuardMetricAnswer) =>
    whole === 0
      ? null
      : compared.reduce((sum, one, i) => sum + figureOf(one[side]) * (weights[i] ?? 0), 0) / whole
  return { got: average('got'), others: average('others') }
}

const weightOf = ({ got, others }: GuardMetricAnswer): number => pairsIn(got.persons, others.persons)

function excessOf(metric: GuardMetric, compared: GuardMetricAnswer): MetricExcess {
  return {
    ...(metric.type === 'vital' ? ofPercentile(compared) : ofMeans(metric, compared)),
    weight: weightOf(compared),
  }
}

function ofMeans(metric: GuardMetric, { got, others }: GuardMetricAnswer): Omit<MetricExcess, 'weight'> {
  const { difference, variance } = flooredDifference(sideOf(got), sideOf(others), limitOf(metric))
  return { by: isBetterWhenHigher(metric) ? -difference : difference, variance }
}

const sideOf = ({ persons, mean, variance }: GuardMetricSide): ComparedSide => ({
  n: persons,
  mean: mean ?? 0,
  variance: variance ?? 0,
})

/**
 * `above` counts people beyond the limit times the others' third quartile. If the metric is exactly at its limit, it is
 * one in four of them. The test is one of two proportions, because the others' percentile is known only as precisely as
 * such a share.
 */
function ofPercentile({ got, others }: GuardMetricAnswer): Omit<MetricExcess, 'weight'> {
  const spread = 0.25 * 0.75
  return { by: got.above / got.persons - 0.25, variance: spread / got.persons + spread / others.persons }
}

/** The factor on the others' figure that is still acceptable. */
export const limitOf = (metric: GuardMetric): number =>
  Math.max(0, 1 + (isBetterWhenHigher(metric) ? -metric.worse : metric.worse) / 100)

function pooled(parts: readonly MetricExcess[]): MetricExcess {
  const weight = parts.reduce((sum, part) => sum + part.weight, 0)
  const sum = (of: (part: MetricExcess) => number) => parts.reduce((all, part) => all + of(part), 0)
  return {
    by: sum((part) => part.weight * part.by) / weight,
    variance: sum((part) => part.weight ** 2 * part.variance) / weight ** 2,
    weight,
  }
}

/** The excess in standard deviations. Without any variance, every excess is certain. */
const deviations = ({ by, variance }: MetricExcess): number => (by > 0 ? by / Math.sqrt(variance) : 0)
