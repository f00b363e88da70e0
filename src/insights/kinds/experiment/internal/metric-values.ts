import { type Sql, sql, uint } from '#engine/sql'
import { matchesEvent } from '#insights/compile/internal/event-matchers'
import type { Events } from '#insights/compile/internal/events'
import { asNumber } from '#insights/compile/internal/properties'
import type { EventMatcher } from '#insights/query-fields'
import type { MeasuredMetric, MetricAmount } from '../schema'

/** The values of one metric for one unit, as aggregates over the unit’s events. */
interface MetricValues {
  /** Expressions of one value, a numerator and a denominator, or one for each step of a funnel. */
  after: readonly Sql[]
  /** The expressions for the time before the exposure; none where that time explains nothing. */
  before: readonly Sql[]
}

/** The metric’s values on rows with `timestamp` and `exposed_at`; call it before `rows`. */
export function metricValues(metric: MeasuredMetric, events: Events, withBefore: boolean): MetricValues {
  const after = valuesWhen(metric, events, isInWindow(metric))
  const explains = withBefore && metric.type !== 'funnel' && metric.type !== 'quantile'
  return { after, before: explains ? valuesWhen(metric, events, sql`timestamp < exposed_at`) : [] }
}

function valuesWhen(metric: MeasuredMetric, events: Events, when: Sql): Sql[] {
  if (metric.type === 'conversion')
    return [sql`toFloat64(max(${when} and ${matchesEvent(metric.happening, events)}))`]
  if (metric.type === 'total') return [totalOf(metric.amount, events, when)]
  if (metric.type === 'ratio')
    return [totalOf(metric.numerator, events, when), totalOf(metric.denominator, events, when)]
  if (metric.type === 'funnel') return stepsOf(metric.steps, events, when)
  if (metric.type === 'value') return valueOf(metric, events, when)
  return []
}

/** A number of the events that match, or null; the texts of others are not parsed. */
function numberOf(property: string, matches: Sql, events: Events): Sql {
  const number = asNumber(events.property({ type: 'event', key: property }))
  return sql`if(${matches}, if(isFinite(${number}), ${number}, null), null)`
}

function totalOf({ happening, property }: MetricAmount, events: Events, when: Sql): Sql {
  const matches = matchesEvent(happening, events)
  const isCounted = sql`${when} and ${matches}`
  if (property === undefined) return sql`toFloat64(countIf(${isCounted}))`
  return sql`sumIf(ifNull(${numberOf(property, matches, events)}, 0), ${isCounted})`
}

const aggregates = {
  mean: (number: Sql, when: Sql) => sql`sumIf(${number}, ${when})`,
  min: (number: Sql, when: Sql) => sql`minIf(${number}, ${when})`,
  max: (number: Sql, when: Sql) => sql`maxIf(${number}, ${when})`,
}

/** A sum and a number of events for the mean; for the extremes the value and whether there is one. */
function valueOf(
  { of, happening, property }: Extract<MeasuredMetric, { type: 'value' }>,
  events: Events,
  when: Sql,
): Sql[] {
  const matches = matchesEvent(happening, events)
  const number = numberOf(property, matches, events)
  const isCounted = sql`${when} and ${matches} and ${number} is not null`
  const count = sql`countIf(${isCounted})`
  return [
    sql`ifNull(${aggregates[of](number, isCounted)}, 0)`,
    of === 'mean' ? sql`toFloat64(${count})` : sql`toFloat64(${count} > 0)`,
  ]
}

/** Selects whether each step was reached. Steps of an instant count in order; an event is one step at most. */
function stepsOf(steps: readonly EventMatcher[], events: Events, when: Sql): Sql[] {
  const conditions = steps.map((step) => sql`${when} and ${matchesEvent(step, events)}`)
  const [first, last] = conditions
  if (first && last && conditions.length === 2 && areDistinct(steps)) {
    const began = sql`minIf(toUnixTimestamp64Milli(timestamp), ${first})`
    const ended = sql`maxIf(toUnixTimestamp64Milli(timestamp), ${last})`
    return [sql`toFloat64(${began} > 0)`, sql`toFloat64(${began} > 0 and ${ended} >= ${began})`]
  }
  const level = sql`windowFunnel(${uint(longestWindow)}, 'strict_once')(toUInt64(toUnixTimestamp64Milli(timestamp)), ${sql.join(conditions)})`
  return steps.map((_, i) => sql`toFloat64(${level} >= ${uint(i + 1)})`)
}

/** Whether no event can be two of the steps. */
const areDistinct = (steps: readonly EventMatcher[]): boolean =>
  new Set(steps.map(({ event }) => event)).size === steps.length && steps.every(({ event }) => event !== null)

/** The metric’s own window is part of each condition. */
const longestWindow = 400 * 86_400_000

const secondsIn = (hours: number): number => Math.round(hours * 3600)

const afterExposure = (hours: number): Sql =>
  hours === 0 ? sql`exposed_at` : sql`exposed_at + toIntervalSecond(${uint(secondsIn(hours))})`

/** Whether an event lies in the metric’s window after the exposure. */
export function isInWindow({ delayHours, windowHours }: MeasuredMetric): Sql {
  const from = sql`timestamp >= ${afterExposure(delayHours)}`
  if (windowHours === undefined) return from
  return sql`${from} and timestamp < ${afterExposure(delayHours + windowHours)}`
}

/** The seconds after the exposure at which the unit’s window is over; 0 if it need not be. */
export const secondsToComplete = ({ delayHours, windowHours, onlyComplete }: MeasuredMetric): number =>
  onlyComplete ? secondsIn(delayHours + (windowHours ?? 0)) : 0
