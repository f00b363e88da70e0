import type { VisitsBaseQuery, VisitCounts, VisitRow } from './visits'
import { visitsStatement } from './visits'
import { type Buckets, bucketsOf, type Interval, type Period } from '../calendar/period'
import type { QueryScope } from '../scope'

/** The totals of one day's visits. They remain when the events are deleted after the project's retention. */
export interface DailyTotal {
  /** The beginning of the day on the project's calendar. */
  began: Date
  counts: VisitCounts
}

const dayMs = 24 * 3_600_000

/**
 * Counts the visits that began on each day of a period. No visit lasts longer than a day, so a day more is read on
 * either side: a visit across midnight counts once, on the day it began.
 */
export async function dailyTotalsIn(period: Period, scope: QueryScope): Promise<DailyTotal[]> {
  const wider = {
    from: new Date(period.from.getTime() - dayMs),
    until: new Date(period.until.getTime() + dayMs),
  }
  const buckets = bucketsOf(wider, 'day', scope.calendar)
  if (!buckets) throw new RangeError('Choose a shorter date range.')
  const everything: VisitsBaseQuery = { period: '', traffic: 'human', withoutTestAccounts: false }
  const rows = await scope.run<VisitRow>(
    visitsStatement(everything, scope, {
      period: wider,
      buckets,
      dimensions: [],
      rows: { limit: 0, offset: 0 },
    }),
  )
  return rows
    .filter(
      (row) => isOfDay(row) && row.bucket >= period.from.getTime() && row.bucket < period.until.getTime(),
    )
    .map((row) => ({ began: new Date(row.bucket), counts: countsOf(row) }))
}

const isOfDay = ({ cut }: VisitRow): boolean => cut === 1

const countsOf = (row: VisitCounts): VisitCounts => ({
  visitors: row.visitors,
  visits: row.visits,
  views: row.views,
  bounces: row.bounces,
  visits_with_views: row.visits_with_views,
  seconds: row.seconds,
  revenue: row.revenue,
  converted: 0,
})

/** Adds the visitors of several days: returning visitors are no longer known. All other numbers are exact. */
export function addCounts(one: VisitCounts, other: VisitCounts): VisitCounts {
  return {
    visitors: one.visitors + other.visitors,
    visits: one.visits + other.visits,
    views: one.views + other.views,
    bounces: one.bounces + other.bounces,
    visits_with_views: one.visits_with_views + other.visits_with_views,
    seconds: one.seconds + other.seconds,
    revenue: one.revenue + other.revenue,
    converted: one.converted + other.converted,
  }
}

/** Totals do not support filters, goals and hours: they count only for all human visits of whole days. */
export const countsDailyTotals = (query: VisitsBaseQuery, interval: Interval): boolean =>
  query.filter === undefined &&
  query.goal === undefined &&
  query.traffic === 'human' &&
  !query.withoutTestAccounts &&
  interval !== 'hour' &&
  interval !== 'minute'

/** Returns the rows as if the events of those days still existed. */
export function withDailyTotals(
  rows: readonly VisitRow[],
  totals: readonly DailyTotal[],
  { starts }: Buckets,
): VisitRow[] {
  const counted = [...rows]
  const add = (cut: number, bucket: number, counts: VisitCounts): void => {
    const found = counted.findIndex((row) => row.cut === cut && (cut === 0 || row.bucket === bucket))
    const row = counted[found]
    if (row) counted[found] = { ...row, ...addCounts(row, counts) }
    else counted.push({ cut, bucket, id: '', value: '', values_in_all: 0, ...counts })
  }
  for (const { began, counts } of totals) {
    const bucket = starts.findLast((start) => start <= began)
    if (!bucket) continue
    add(0, 0, counts)
    add(1, bucket.getTime(), counts)
  }
  return counted
}
