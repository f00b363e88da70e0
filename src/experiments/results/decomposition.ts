import { z } from 'zod'
import type { Filter } from '#filters/filter'
import type { ExperimentAnswer } from '#insights/kinds/experiment/answer'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import { bothFilters, type EventMatcher } from '#insights/query-fields'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { ExperimentMetric } from '../experiment'
import { analyse } from './internal/analyse'
import { exploredMetrics } from './exploration'
import type { MeasuredExperiment } from './internal/measured-experiment'
import type { decompositionReportSchema } from './report-schema'

/** A metric, and the property of its event by which it is taken apart. */
export const decompositionInput = z.strictObject({
  metric: z.string().min(1, 'Name a metric by its id.').max(40),
  key: z.string().min(1, 'Name a property.').max(200),
})

export type DecompositionReport = z.infer<typeof decompositionReportSchema>

interface DecomposedMetric {
  metric: ExperimentMetric
  measured: Extract<MeasuredMetric, { type: 'conversion' | 'total' | 'ratio' }>
}

/** Finds the metric, if the parts of its events add up to something. */
export function decomposedMetric(
  metrics: readonly ExperimentMetric[],
  id: string,
): Outcome<{ decomposed: DecomposedMetric }> {
  const metric = metrics.find((one) => one.id === id)
  if (!metric) return failedOutcome(`The experiment has no metric "${id}".`, 'metric')
  const { measured } = metric
  if (measured.type === 'conversion' || measured.type === 'total' || measured.type === 'ratio')
    return { done: true, decomposed: { metric, measured } }
  return failedOutcome(
    'Only conversions, totals and ratios can be decomposed: a funnel, a value or a quantile of some of the events is not a part of the whole.',
    'metric',
  )
}

/** The events that are divided: for a ratio those of the numerator. */
function dividedEvents({ measured }: DecomposedMetric): EventMatcher {
  if (measured.type === 'conversion') return measured.happening
  return measured.type === 'total' ? measured.amount.happening : measured.numerator.happening
}

const mostParts = 10

/** The most frequent values of a property, as a query. */
export const partsQuery = (
  decomposed: DecomposedMetric,
  key: string,
  { startedAt, until }: MeasuredExperiment,
) => ({
  kind: 'trend' as const,
  // an experiment that starts this instant has no time yet, which is no period
  period: `${startedAt.toISOString()}..${new Date(Math.max(until.getTime(), startedAt.getTime() + 1)).toISOString()}`,
  series: [dividedEvents(decomposed)],
  breakdowns: [{ type: 'event' as const, key }],
  interval: 'month' as const,
  limit: mostParts,
})

/** The metric for each of the values, and for all others. Filters ignore case. */
export function partMetrics(
  { measured }: DecomposedMetric,
  key: string,
  values: readonly (string | null)[],
): { value: string | null; isOthers: boolean; measured: MeasuredMetric }[] {
  const texts = [
    ...new Map(values.flatMap((one) => (one === null ? [] : [[one.toLowerCase(), one]]))).values(),
  ]
  const only = (operator: 'exact' | 'is_not', value: string[]): Filter => ({
    type: 'event',
    key,
    operator,
    value,
  })
  const unset: Filter = { type: 'event', key, operator: 'is_not_set' }
  return [
    ...texts.map((value) => ({
      value,
      isOthers: false,
      measured: withFilter(measured, only('exact', [value])),
    })),
    ...(values.includes(null)
      ? [{ value: null, isOthers: false, measured: withFilter(measured, unset) }]
      : []),
    ...(values.length >= mostParts
      ? [
          {
            value: null,
            isOthers: true,
            measured: withFilter(measured, {
              all: [{ type: 'event', key, operator: 'is_set' }, only('is_not', texts)],
            }),
          },
        ]
      : []),
  ]
}

function withFilter(measured: DecomposedMetric['measured'], filter: Filter): MeasuredMetric {
  const among = (matcher: EventMatcher): EventMatcher => ({
    ...matcher,
    filter: bothFilters(matcher.filter, filter),
  })
  if (measured.type === 'conversion') return { ...measured, happening: among(measured.happening) }
  if (measured.type === 'total')
    return { ...measured, amount: { ...measured.amount, happening: among(measured.amount.happening) } }
  return {
    ...measured,
    numerator: { ...measured.numerator, happening: among(measured.numerator.happening) },
  }
}

/** Computes the report from an answer to the whole metric and its parts. */
export function decompositionReport(
  measured: MeasuredExperiment,
  {
    decomposed,
    key,
    parts,
  }: {
    decomposed: DecomposedMetric
    key: string
    parts: ReturnType<typeof partMetrics>
  },
  answer: ExperimentAnswer,
): DecompositionReport {
  const { metric } = decomposed
  const metrics: ExperimentMetric[] = [
    metric,
    ...parts.map((part, i) => ({ ...metric, id: `${metric.id}-${i + 1}`, measured: part.measured })),
  ]
  const { experiment } = measured
  const { metrics: reports } = analyse({ ...measured, experiment: { ...experiment, metrics } }, answer)
  const [whole, ...explored] = exploredMetrics([reports], experiment.analysis).flat()
  if (!whole) throw new Error('The report has no metric.')
  return {
    key,
    isExploration: true,
    whole,
    parts: parts.flatMap(({ value, isOthers }, i) => {
      const own = explored[i]
      return own ? [{ value, isOthers, metric: own }] : []
    }),
  }
}
