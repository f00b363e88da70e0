import { type Sql, sql, uint } from '#engine/sql'
import { hasCountedEntity, countedEntityColumn } from '../../compile/counted-entity'
import { Events } from '../../compile/events'
import { matchesEvent, eventNamesOf } from '../../compile/event-matchers'
import { activityBit } from '../../compile/activity-bitmask'
import type { Buckets, Period } from '../../calendar/period'
import type { QuestionScope } from '../../scope'
import type { StickinessQuestion } from './question'

/** The number of persons active in exactly so many intervals. */
export interface StickinessRow {
  /** The series, counted from 1. */
  series: number
  intervals: number
  counted: number
}

export const stickiness = (
  question: StickinessQuestion,
  scope: QuestionScope,
  period: Period,
  buckets: Buckets,
): Sql => sql`
  select series, toUInt32(bitCount(marks)) as intervals, count() as counted
  from (${activeIn(question, scope, period, buckets)})
  array join each as marks, arrayEnumerate(each) as series
  where marks != 0
  group by series, intervals`

/** Returns the active intervals of each person, for each series. */
function activeIn(question: StickinessQuestion, scope: QuestionScope, period: Period, buckets: Buckets): Sql {
  const { series, per } = question
  const events = new Events(scope, question, { period, names: eventNamesOf(series) })
  const mark = activityBit(sql`timestamp`, buckets.starts)
  const each = series.map((happening) => sql`groupBitOrIf(${mark}, ${matchesEvent(happening, events)})`)
  return sql`
    select ${countedEntityColumn(per, events)} as who, [${sql.join(each)}] as each
    from ${events.rows()} as events
    where ${hasCountedEntity(per, events)}
    group by who`
}

export const personsOn = (
  question: StickinessQuestion,
  { series, n }: { series: number; n: number },
  scope: QuestionScope,
  period: Period,
  buckets: Buckets,
): Sql => sql`
  select who as person
  from (${activeIn(question, scope, period, buckets)})
  where bitCount(each[${uint(series + 1)}]) ${question.cumulative ? sql`>=` : sql`=`} ${uint(n)}`
