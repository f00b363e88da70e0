import { type Sql, sql, uint } from '#engine/sql'
import { bucketColumn } from '#insights/compile/internal/bucket-column'
import { distinctIn } from '#insights/compile/internal/distinct'
import { Events } from '#insights/compile/internal/events'
import { visitRows } from '#insights/compile/visits'
import type { Buckets, Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import type { GoalsQuery } from './schema'

/** The counts of one goal in the period, or in one of its buckets. */
export interface GoalCountRow {
  /** The index of the goal, counted from 1. */
  goal: number
  is_whole: number
  bucket: number
  visitors: number
  conversions: number
  times: number
  revenue: number
}

/** Counts all goals over the same visits: grouping events into visits takes most of the time, and happens once. */
export const goalCounts = (
  query: GoalsQuery,
  scope: QueryScope,
  period: Period,
  buckets: Buckets,
): Sql => sql`
  select
    toUInt32(goal) as goal,
    toUInt8(grouping(bucket)) as is_whole,
    bucket,
    ${distinctIn(scope).of(sql`visitor`)} as visitors,
    ${distinctIn(scope).where(sql`visitor`, sql`hits > 0`)} as conversions,
    sum(hits) as times,
    sum(hit_revenue) as revenue
  from (
    select visitor, goal, hits, hit_revenue, ${bucketColumn(sql`began`, buckets)} as bucket
    from (${visitRows(query, scope, period)})
    array join goal_hits as hits, goal_revenue as hit_revenue, arrayEnumerate(goal_hits) as goal
  )
  group by grouping sets ((goal), (goal, bucket))
  order by goal, bucket`

/** The persons whose visits reached a goal. */
export const personsWhoReached = (
  query: GoalsQuery,
  index: number,
  scope: QueryScope,
  period: Period,
): Sql => {
  const { traffic, withoutTestAccounts } = query
  const events = new Events(scope, { traffic, withoutTestAccounts }, { period })
  return sql`
    select distinct person
    from ${events.rows()}
    where cityHash64(person) in (
      select visitor from (${visitRows(query, scope, period)}) where goal_hits[${uint(index + 1)}] > 0
    )`
}
