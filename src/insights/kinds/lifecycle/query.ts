import { type Sql, sql } from '../../../engine/sql'
import { Events } from '../../events'
import { namesIn } from '../../happenings'
import { wholeOf } from '../../intervals'
import { earliest, hasPlace, later, markOf, placesOf, without } from '../../marks'
import type { Buckets } from '../../period'
import { both } from '../../question'
import type { Scope } from '../../scope'
import type { LifecycleQuestion, LifecycleState } from './question'

/** How many were in a state in an interval; 0 is the one before the period. */
export interface LifecycleRow {
  state: LifecycleState
  interval: number
  persons: number
}

const marks = sql`marks`

/** Somebody's intervals in each state, made of those in which they were active. */
const inState = {
  new: earliest(marks),
  returning: sql`bitAnd(${marks}, ${later(marks)})`,
  resurrecting: without(without(marks, later(marks)), earliest(marks)),
  dormant: without(later(marks), marks),
} as const satisfies Record<LifecycleState, Sql>

/** `buckets` begin one before the period: who was active there can be returning or dormant in its first. */
export const lifecycle = (question: LifecycleQuestion, scope: Scope, buckets: Buckets): Sql => sql`
  with courses as (
    select marks, count() as alike
    from (${activeIn(question, scope, buckets)})
    group by marks
  )
  select state, toUInt32(place - 1) as interval, sum(alike) as persons
  from (
    select
      alike,
      arrayJoin([
        ('new', ${placesOf(inState.new)}),
        ('returning', ${placesOf(inState.returning)}),
        ('resurrecting', ${placesOf(inState.resurrecting)}),
        ('dormant', ${placesOf(inState.dormant)})
      ]) as course,
      course.1 as state,
      arrayJoin(course.2) as place
    from courses
  )
  where place > 0
  group by state, place`

/** All that happened until the end is read, for only that tells who is new. */
const activeIn = (question: LifecycleQuestion, scope: Scope, buckets: Buckets): Sql => {
  const { happening } = question
  const filter = both(question.filter, happening.filter)
  const period = { from: new Date(0), until: wholeOf(buckets).until }
  const events = new Events(scope, { ...question, filter }, { period, names: namesIn([happening]) })
  return sql`
    select person, groupBitOr(${markOf(sql`timestamp`, buckets.starts)}) as marks
    from ${events.rows()} as events
    group by person`
}

export const personsIn = (
  question: LifecycleQuestion,
  { state, interval }: { state: LifecycleState; interval: number },
  scope: Scope,
  buckets: Buckets,
): Sql => sql`
  select person
  from (${activeIn(question, scope, buckets)})
  where ${hasPlace(inState[state], interval + 1)}`
