import { type AnsweredQuery, isOfKind } from '#insights/answered-query'
import type { FunnelAnswer, FunnelStepAnswer } from '#insights/kinds/funnel/answer'
import type { LifecycleAnswer } from '#insights/kinds/lifecycle/answer'
import type { RetentionAnswer } from '#insights/kinds/retention/answer'
import type { StickinessAnswer } from '#insights/kinds/stickiness/answer'
import type { TrendAnswer, TrendLine } from '#insights/kinds/trend/answer'

/** The days of a series, as PostHog writes them. */
const daysOf = (starts: readonly string[]): string[] =>
  starts.map((start) => (start.endsWith('T00:00:00.000Z') ? start.slice(0, 10) : start.slice(0, 19)))

function trendResults({ starts, lines }: TrendAnswer): object[] {
  const days = daysOf(starts)
  return lines.flatMap((line) => [
    trendResult(line, days, line.values, line.total, line.compared ? 'current' : undefined),
    ...(line.compared
      ? [trendResult(line, days, line.compared.values, line.compared.total, 'previous')]
      : []),
  ])
}

const trendResult = (
  { label, series, breakdown, isOthers }: TrendLine,
  days: readonly string[],
  values: readonly (number | null)[],
  total: number | null,
  compared: string | undefined,
) => ({
  label,
  days,
  labels: days,
  data: values,
  count: total ?? 0,
  aggregated_value: total ?? 0,
  ...(typeof series === 'number' && { action: { order: series, type: 'events', name: label } }),
  ...(breakdown.length > 0 && { breakdown_value: breakdown.length === 1 ? breakdown[0] : breakdown }),
  ...(isOthers && { breakdown_value: '$$_posthog_breakdown_other_$$' }),
  ...(compared && { compare: true, compare_label: compared }),
})

const funnelStep = ({ label, persons, averageSeconds, medianSeconds }: FunnelStepAnswer, order: number) => ({
  action_id: label,
  name: label,
  custom_name: null,
  type: 'events',
  order,
  count: persons,
  average_conversion_time: averageSeconds,
  median_conversion_time: medianSeconds,
})

const funnelResults = ({ steps, breakdowns }: FunnelAnswer): object[] =>
  breakdowns
    ? breakdowns.map(({ value, isOthers, steps: own }) =>
        own.map((step, order) => {
          const breakdown = isOthers ? '$$_posthog_breakdown_other_$$' : value
          return { ...funnelStep(step, order), breakdown, breakdown_value: breakdown }
        }),
      )
    : steps.map(funnelStep)

const lifecycleResults = (answer: LifecycleAnswer): object[] =>
  (['new', 'returning', 'resurrecting', 'dormant'] as const).map((status) => {
    // PostHog draws dormant persons below the axis
    const data = status === 'dormant' ? answer.dormant.map((count) => 0 - count) : answer[status]
    return {
      status,
      label: status,
      days: daysOf(answer.starts),
      labels: daysOf(answer.starts),
      data,
      count: data.reduce((sum, one) => sum + one, 0),
    }
  })

const stickinessResults = ({ labels, counts, totals, interval }: StickinessAnswer): object[] =>
  counts.map((data, index) => ({
    label: labels[index],
    data,
    days: data.map((_, n) => n + 1),
    labels: data.map((_, n) => `${n + 1} ${interval}${n === 0 ? '' : 's'}`),
    count: totals[index],
  }))

function retentionResults({ starts, series }: RetentionAnswer): object[] {
  return series.flatMap(({ counts, breakdown, isOthers }) =>
    starts.map((date, cohort) => ({
      date,
      label: `${cohort}`,
      values: (counts[cohort] ?? []).map((count) => ({ count })),
      ...(breakdown.length > 0 && { breakdown_value: breakdown[0] }),
      ...(isOthers && { breakdown_value: '$$_posthog_breakdown_other_$$' }),
    })),
  )
}

/** Converts the answer to a query that `queryFrom` translated. */
export function resultsOf(answered: AnsweredQuery): object[] {
  if (isOfKind('trend', answered)) return trendResults(answered.answer)
  if (isOfKind('funnel', answered)) return funnelResults(answered.answer)
  if (isOfKind('lifecycle', answered)) return lifecycleResults(answered.answer)
  if (isOfKind('stickiness', answered)) return stickinessResults(answered.answer)
  if (isOfKind('retention', answered)) return retentionResults(answered.answer)
  throw new TypeError(`PostHog has no results for answers of the kind ${answered.question.kind}.`)
}
