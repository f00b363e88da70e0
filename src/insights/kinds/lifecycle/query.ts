import { type Sql, sql } from '#engine/sql'
import { Events } from '#insights/compile/internal/events'
import { eventNamesOf } from '#insights/compile/internal/event-matchers'
import { wholePeriodOf } from '#insights/calendar/intervals'
import {
  earliestBit,
  hasBit,
  shiftedLater,
  activityBit,
  bitPositions,
  withoutBits,
} from '#insights/compile/internal/activity-bitmask'
import type { Buckets } from '#insights/calendar/period'
import { bothFilters } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import type { LifecycleQuery, LifecycleState } from './schema'

/** The number of persons in a state in an interval; interval 0 is the one before the period. */
export interface LifecycleRow {
  state: LifecycleState
  interval: number
  persons: number
}

const activity = sql`marks`

/** A person's intervals in each state, computed from their active intervals. */
const inState = {
  new: earliestBit(activity),
  returning: sql`bitAnd(${activity}, ${shiftedLater(activity)})`,
  resurrecting: withoutBits(withoutBits(activity, shiftedLater(activity)), earliestBit(activity)),
  dormant: withoutBits(shiftedLater(activity), activity),
} as const satisfies Record<LifecycleState, Sql>

/** `buckets` begin one before the period: persons active there can be returning or dormant in its first interval. */
export const lifecycle = (query: LifecycleQuery, scope: QueryScope, buckets: Buckets): Sql => sql`
  with courses as (
    select marks, count() as alike
    from (${activeIn(query, scope, buckets)})
    group by marks
  )
  select state, toUInt32(place - 1) as interval, sum(alike) as persons
  from (
    select
      alike,
      arrayJoin([
        ('new', ${bitPositions(inState.new)}),
        ('returning', ${bitPositions(inState.returning)}),
        ('resurrecting', ${bitPositions(inState.resurrecting)}),
        ('dormant', ${bitPositions(inState.dormant)})
      ]) as course,
      course.1 as state,
      arrayJoin(course.2) as place
    from courses
  )
  where place > 0
  group by state, place`

/** Reads all events up to the end, because only they show who is new. */
const activeIn = (query: LifecycleQuery, scope: QueryScope, buckets: Buckets): Sql => {
  const { happening } = query
  const filter = bothFilters(query.filter, happening.filter)
  const period = { from: new Date(0), until: wholePeriodOf(buckets).until }
  const events = new Events(scope, { ...query, filter }, { period, names: eventNamesOf([happening]) })
  return sql`
    select person, groupBitOr(${activityBit(sql`timestamp`, buckets.starts)}) as marks
    from ${events.rows()} as events
    group by person`
}

export const personsIn = (
  query: LifecycleQuery,
  { state, interval }: { state: LifecycleState; interval: number },
  scope: QueryScope,
  buckets: Buckets,
): Sql => sql`
  select person
  from (${activeIn(query, scope, buckets)})
  where ${hasBit(inState[state], interval + 1)}`
