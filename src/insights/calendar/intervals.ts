import { z } from 'zod'
import { type Outcome, failedOutcome } from '#projects/problems'
import { type Buckets, bucketsOf, type Interval, type Period, usualInterval } from './period'
import { queryPeriod } from '../query-fields'
import type { BaseQuery, QueryScope } from '../scope'

/** The intervals of retention. */
export const returnInterval = z.enum(['hour', 'day', 'week', 'month'])
export type ReturnInterval = z.infer<typeof returnInterval>

/** Returns the period of a query and its buckets, or a failure if there are too many or none. */
export async function bucketsOfQuery(
  query: Pick<BaseQuery, 'period'> & { interval?: Interval | undefined },
  scope: QueryScope,
): Promise<Outcome<{ period: Period; interval: Interval; buckets: Buckets }>> {
  const period = await queryPeriod(query, scope)
  const interval = query.interval ?? usualInterval(period)
  const buckets = bucketsOf(period, interval, scope.calendar)
  if (!buckets)
    return failedOutcome(
      `The date range is too long for intervals of one ${interval}. Choose a longer interval.`,
      'interval',
    )
  if (buckets.starts.length === 0) return failedOutcome('The date range is empty. Choose another.', 'period')
  return { done: true, period, interval, buckets }
}

/** Returns the intervals that overlap a period, or a failure if there are too many. */
export function intervalsIn(
  period: Period,
  interval: Interval,
  most: number,
  { calendar }: QueryScope,
): Outcome<{ buckets: Buckets }> {
  // the calendar may skip a day, as when a country changes sides of the date line
  if (period.from >= period.until) return failedOutcome('The date range is empty. Choose another.', 'period')
  const buckets = bucketsOf(period, interval, calendar)
  if (buckets && buckets.starts.length <= most) return { done: true, buckets }
  return failedOutcome(
    `The period has more than ${most} intervals of one ${interval}. Choose a shorter period or a longer interval.`,
    'interval',
  )
}

/**
 * Returns the period from the beginning of the first interval to the end of the last: retention needs whole intervals.
 */
export const wholePeriodOf = ({ starts, end }: Buckets): Period => ({ from: starts[0] ?? end, until: end })

/** Returns the number of complete buckets; the counts of the others may still grow. */
export const completedBuckets = ({ starts, end }: Buckets, now: Date): number =>
  starts.filter((_, i) => (starts[i + 1] ?? end) <= now).length
