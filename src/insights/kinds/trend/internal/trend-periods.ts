import { type Outcome, failedOutcome } from '#projects/problems'
import {
  type Buckets,
  bucketsOf,
  comparedSoFar,
  comparedWith,
  type Interval,
  isOpen,
  mostBuckets,
  type Period,
  periodOn,
  usualInterval,
} from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import type { TrendQuery } from '../schema'

/** A period in buckets. */
export interface BucketedPeriod {
  period: Period
  buckets: Buckets
  /** The total counts events before this time. */
  countedUntil: Date
}

export interface TrendPeriods {
  interval: Interval
  main: BucketedPeriod
  compared: BucketedPeriod | undefined
}

/** Returns the period of a query, and the compared period. */
export async function trendPeriodsOf(query: TrendQuery, scope: QueryScope): Promise<Outcome<TrendPeriods>> {
  const { calendar } = scope
  const since = isOpen(query.period) ? await scope.firstEventAt() : undefined
  const period = periodOn(calendar, query.period, since)
  const interval = query.interval ?? (query.chart === 'calendar' ? 'day' : usualInterval(period))
  const main = bucketedPeriod(period, undefined, interval, scope)
  if (!main) return tooMany(interval)
  if (main.buckets.starts.length === 0) return noTime('period')
  if (!query.compare) return { done: true, interval, main, compared: undefined }
  const other = comparedWith(period, query.compare, calendar)
  const compared = bucketedPeriod(other, comparedSoFar(other, period, calendar).until, interval, scope)
  if (compared?.buckets.starts.length === 0) return noTime('compare')
  return compared ? { done: true, interval, main, compared } : tooMany(interval)
}

function bucketedPeriod(
  period: Period,
  countedUntil: Date | undefined,
  interval: Interval,
  { calendar }: QueryScope,
): BucketedPeriod | undefined {
  const buckets = bucketsOf(period, interval, calendar)
  return buckets && { period, buckets, countedUntil: countedUntil ?? soFar(period, buckets, calendar.now) }
}

/** Events of clocks that are ahead are not counted in future buckets, so that the buckets add up to the total. */
const soFar = ({ until }: Period, { starts }: Buckets, now: Date): Date =>
  starts.find((start) => start > now) ?? until

/** The calendar may skip a day, as when a country changes sides of the date line. */
const noTime = (field: string) => failedOutcome('The date range is empty. Choose another.', field)

const tooMany = (interval: Interval) =>
  failedOutcome(
    `By ${interval} that would be more than ${mostBuckets} points. Choose a longer interval or a shorter period.`,
    'interval',
  )
