import { z } from 'zod'
import { type Outcome, undone } from '../projects/problems'
import { type Buckets, bucketsOf, type Interval, type Period } from './period'
import type { Scope } from './scope'

/** The intervals in which somebody may come back. */
export const returnInterval = z.enum(['hour', 'day', 'week', 'month'])
export type ReturnInterval = z.infer<typeof returnInterval>

/** The intervals that a period touches, if they are not more than so many. */
export function intervalsIn(
  period: Period,
  interval: Interval,
  most: number,
  { calendar }: Scope,
): Outcome<{ buckets: Buckets }> {
  // where the calendar leaves out a day, as when a country changes sides of the date line
  if (period.from >= period.until) return undone('There is no time in this period. Choose another.', 'period')
  const buckets = bucketsOf(period, interval, calendar)
  if (buckets && buckets.starts.length <= most) return { done: true, buckets }
  return undone(
    `The period has more than ${most} intervals of one ${interval}. Choose a shorter period or a longer interval.`,
    'interval',
  )
}

/** From the beginning of the first to the end of the last: half a week says nothing of who came back in it. */
export const wholeOf = ({ starts, end }: Buckets): Period => ({ from: starts[0] ?? end, until: end })

/** How many of them are over; what is counted of the others may still grow. */
export const overBy = ({ starts, end }: Buckets, now: Date): number =>
  starts.filter((_, i) => (starts[i + 1] ?? end) <= now).length
