import type { QueryScope } from '#insights/scope'
import { failedOutcome, type Outcome } from '#projects/problems'
import { dimensionNamed, isFailure, shortened } from './dimensions'
import { isMetric, type MetricName } from './metrics'
import type { Grouping, StatsCall } from './stats-query'
import type { Interval, Period } from '#insights/calendar/period'
import { usualIntervalOf } from './date-ranges'
import { queryPeriod } from '#insights/query-fields'

/** An address of Plausible's API. */
export interface StatsEndpoint {
  method: 'GET' | 'POST'
  path: `/${string}`
  handle: (request: StatsRequest) => Promise<Outcome<{ body: unknown }>>
}

export interface StatsRequest {
  call: StatsCall
  /** The site as the caller names it. */
  site: string
  /** The fields of the body, or the parameters of the address. */
  input: Readonly<Record<string, unknown>>
  now: Date
}

/** Reads the names of metrics. */
export function metricsFrom(names: readonly unknown[]): Outcome<{ metrics: MetricName[] }> {
  const unknown = names.find((name) => !isMetric(name))
  if (unknown !== undefined)
    return failedOutcome(
      `Unknown metric '${shortened(JSON.stringify(unknown) ?? '')}'. docs/sdk-plausible.md lists the metrics that Tilth has.`,
    )
  const metrics = names.filter(isMetric)
  if (metrics.length === 0) return failedOutcome('Name at least one metric.')
  if (new Set(metrics).size < metrics.length)
    return failedOutcome('Metrics cannot be queried multiple times.')
  return { done: true, metrics }
}

const intervals: Readonly<Record<string, Interval | undefined>> = {
  'time:minute': 'minute',
  'time:hour': 'hour',
  'time:day': 'day',
  'time:week': 'week',
  'time:month': 'month',
}

/** Reads the name of a dimension to group by. */
export function groupingFrom(name: unknown, range: Period): Outcome<{ grouping: Grouping }> {
  if (typeof name !== 'string') return failedOutcome('Name the dimensions as texts.')
  if (name === 'event:goal') return { done: true, grouping: { by: 'goal', name } }
  const interval =
    name === 'time' ? usualIntervalOf(range) : Object.hasOwn(intervals, name) && intervals[name]
  if (interval) return { done: true, grouping: { by: 'time', name: `time:${interval}`, interval } }
  const dimension = dimensionNamed(name)
  return isFailure(dimension) ? dimension : { done: true, grouping: { by: 'value', name, dimension } }
}

/** Resolves a period, whose first day may be that of the first event. */
export const resolvedRange = async (period: string, scope: QueryScope): Promise<Period> =>
  await queryPeriod({ period }, scope)
