import { int, type Sql, sql, uint } from '#engine/sql'
import { Events } from '#insights/compile/internal/events'
import { reachesGoal } from '#insights/compile/goal'
import { viewsOf } from '#insights/compile/internal/page-addresses'
import type { Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import type { AttributionQuery } from './schema'

/** The counts of a page, of unattributed conversions, or of all conversions. */
export interface AttributionRow {
  part: 'page' | 'nothing' | 'whole'
  page: string
  persons: number
  times: number
  revenue: number
  led_persons: number
  led_times: number
  led_revenue: number
}

const dayMs = 86_400_000

export const attribution = (query: AttributionQuery, scope: QueryScope, period: Period): Sql => sql`
  select
    multiIf(grouping(led_by) = 1, 'whole', led_by = '', 'nothing', 'page') as part,
    led_by as page,
    uniqExact(person) as persons,
    count() as times,
    sum(amount) as revenue,
    uniqExactIf(person, led_by != '') as led_persons,
    countIf(led_by != '') as led_times,
    sumIf(amount, led_by != '') as led_revenue
  from (
    select person, amount, if(read_at >= since and read_at < reached_at, read_page, '') as led_by
    from (${reachedIn(query, scope, period)}) as reached
    asof left join (${readsBefore(query, scope, period)}) as reads
      on reads.reader = reached.who and ${nearest[query.attribution]}
  )
  group by grouping sets ((led_by), ())
  order by part = 'page', persons desc, times desc, page
  limit ${uint(query.limit + 2)}`

/** The latest or the earliest read: before the conversion, or from the first instant that counts. */
const nearest: Record<AttributionQuery['attribution'], Sql> = {
  first: sql`reads.read_at >= reached.since`,
  last: sql`reads.read_at < reached.reached_at`,
}

/** Conversions, one row each. Instants are in milliseconds, because days count as 24 hours. */
function reachedIn(query: AttributionQuery, scope: QueryScope, period: Period): Sql {
  const events = new Events(scope, query, { period, names: namesOf(query) })
  const isReached = reachesGoal(query.goal, events)
  return sql`
    select
      person,
      cityHash64(person) as who,
      toUnixTimestamp64Milli(timestamp) as reached_at,
      reached_at - ${int(query.days * dayMs)} as since,
      revenue as amount
    from ${events.rows()} as events
    where ${isReached}`
}

/**
 * Reads of persons who converted, because only theirs are compared. Of two pages opened at the same instant, one is
 * taken. Persons are compared by a number derived from their id, which is much faster.
 */
function readsBefore(query: AttributionQuery, scope: QueryScope, { from, until }: Period): Sql {
  const period = { from: new Date(Math.max(0, from.getTime() - query.days * dayMs)), until }
  const views = viewsOf(query.pages, new Events(scope, query, { period, names: ['$pageview'] }))
  return sql`
    select any(cityHash64(person)) as reader, any(toUnixTimestamp64Milli(timestamp)) as read_at, min(page) as read_page
    from ${views}
    where cityHash64(person) in (select who from (${reachedIn(query, scope, { from, until })}))
    group by cityHash64(person, timestamp)`
}

const namesOf = ({ goal }: AttributionQuery): string[] | undefined => {
  if (goal.type === 'event') return [goal.event]
  return goal.type === 'page' ? ['$pageview', '$screen'] : undefined
}
