import { failedOutcome, type Outcome } from '#projects/problems'
import type { Filter } from '#filters/filter'
import type { MathName } from '../../measures/maths'
import { bothFilters, type EventMatcher } from '../../query-fields'
import type { BaseQuery } from '../../scope'
import { funnelQuery, type FunnelQuery, windowSeconds } from '../funnel/schema'
import { retentionQuery, type RetentionQuery } from '../retention/schema'
import { trendQuery, type TrendQuery, type TrendSeries } from '../trend/schema'
import { measuredMetric, type MeasuredMetric } from './schema'

type MetricOutcome = Outcome<{ measured: MeasuredMetric }>

/** A metric before its defaults. */
type MetricDefinition = { type: MeasuredMetric['type'] } & Record<string, unknown>

/**
 * The metric that measures for each unit what an insight measures for everyone. The insight’s period and breakdowns do
 * not take part: a metric counts from the exposure on.
 */
export function metricOfQuery(query: BaseQuery & { kind: string }): MetricOutcome {
  const defined = definitionOf(query)
  if (!defined.done) return defined
  const parsed = measuredMetric.safeParse(defined.definition)
  return parsed.success
    ? { done: true, measured: parsed.data }
    : failedOutcome(parsed.error.issues[0]?.message ?? 'The insight does not fit a metric.')
}

function definitionOf(query: BaseQuery & { kind: string }): Outcome<{ definition: MetricDefinition }> {
  if (query.traffic !== 'human')
    return failedOutcome('The insight counts robots too; an experiment counts only people.')
  const trend = trendQuery.safeParse(query)
  if (trend.success) return ofTrend(trend.data)
  const funnel = funnelQuery.safeParse(query)
  if (funnel.success) return ofFunnel(funnel.data)
  const retention = retentionQuery.safeParse(query)
  if (retention.success) return ofRetention(retention.data)
  return failedOutcome('Only trends, funnels and retention can become metrics.')
}

const defined = (definition: MetricDefinition) => ({ done: true, definition }) as const

/** The event with the filters of its series and of the whole query. */
const matcherOf = ({ event, filter }: EventMatcher, outer: Filter | undefined): EventMatcher => {
  const both = bothFilters(outer, filter)
  return { event, ...(both && { filter: both }) }
}

function ofTrend(query: TrendQuery): Outcome<{ definition: MetricDefinition }> {
  const { series, formulas, filter } = query
  const [first, second] = series
  if (formulas.length === 0) {
    const shown = series.filter(({ isHidden }) => !isHidden)
    return shown.length === 1 && shown[0]
      ? ofSeries(shown[0], filter)
      : failedOutcome('The trend has several series; a metric is one number.')
  }
  const [formula] = formulas
  const isRatio = formulas.length === 1 && formula && /^\s*A\s*\/\s*B\s*$/i.test(formula.text)
  if (!isRatio || !first || !second)
    return failedOutcome('Of formulas, only “A / B” can become a metric: a ratio.')
  const [numerator, denominator] = [amountOf(first, filter), amountOf(second, filter)]
  return numerator && denominator
    ? defined({ type: 'ratio', numerator, denominator })
    : failedOutcome('A ratio needs two series that count events or sum a property of them.')
}

/** Quantiles by the measures that ask for them. */
const quantiles: Partial<Record<MathName, number>> = {
  median: 0.5,
  p75: 0.75,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
}
const extremes: Partial<Record<MathName, 'mean' | 'min' | 'max'>> = {
  average: 'mean',
  min: 'min',
  max: 'max',
}
const distinctPersons: ReadonlySet<MathName> = new Set([
  'persons',
  'visitors',
  'daily_actives',
  'weekly_actives',
  'monthly_actives',
])

function ofSeries(
  series: TrendSeries,
  filter: Filter | undefined,
): Outcome<{ definition: MetricDefinition }> {
  const { math, property } = series.measure
  const matcher = matcherOf(series, filter)
  if (distinctPersons.has(math)) return defined({ type: 'conversion', happening: matcher })
  if (property && property.type !== 'event')
    return failedOutcome('The insight measures a property of persons or groups; a metric measures events.')
  const amount = amountOf(series, filter)
  if (amount) return defined({ type: 'total', amount })
  const [level, of] = [quantiles[math], extremes[math]]
  if (property && level !== undefined)
    return defined({ type: 'quantile', happening: matcher, property: property.key, level })
  if (property && of) return defined({ type: 'value', of, happening: matcher, property: property.key })
  return failedOutcome('The insight counts sessions, groups or scores, which no metric does.')
}

/** Counts events, or sums a property of them; undefined for other measures. */
function amountOf(series: TrendSeries, filter: Filter | undefined) {
  const { math, property } = series.measure
  const matcher = matcherOf(series, filter)
  if (math === 'total' || (math === 'per_person' && !property)) return { happening: matcher }
  if ((math === 'sum' || math === 'per_person') && property?.type === 'event')
    return { happening: matcher, property: property.key }
  return undefined
}

function ofFunnel(query: FunnelQuery): Outcome<{ definition: MetricDefinition }> {
  const { steps, order, exclusions, per, window, filter } = query
  if (order !== 'ordered') return failedOutcome('Only a funnel whose steps are in order can become a metric.')
  if (exclusions.length > 0) return failedOutcome('A metric cannot exclude events between the steps.')
  if (steps.some(({ optional }) => optional)) return failedOutcome('A metric has no optional steps.')
  if (per !== 'person') return failedOutcome('The funnel does not count persons.')
  if (steps.length > 10) return failedOutcome('A metric has at most 10 steps.')
  return defined({
    type: 'funnel',
    steps: steps.map((step) => matcherOf(step, filter)),
    windowHours: Math.min((window.amount * windowSeconds[window.unit]) / 3600, longestHours),
  })
}

const longestHours = 24 * 400

const hoursIn: Record<RetentionQuery['interval'], number> = {
  hour: 1,
  day: 24,
  week: 7 * 24,
  month: 30 * 24,
}

/** A return in the first interval after that of the exposure, or later if the insight counts later returns too. */
function ofRetention(query: RetentionQuery): Outcome<{ definition: MetricDefinition }> {
  const { target, returning = target, interval, rolling, minimum, per, filter } = query
  if (minimum > 1) return failedOutcome('A metric cannot ask for several events to count as a return.')
  if (per !== 'person') return failedOutcome('The insight does not count persons.')
  const hours = hoursIn[interval]
  return defined({
    type: 'conversion',
    happening: matcherOf(returning, filter),
    delayHours: hours,
    ...(!rolling && { windowHours: hours, onlyComplete: true }),
  })
}
