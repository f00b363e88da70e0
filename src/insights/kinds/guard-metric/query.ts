import { dateTime, float, type Sql, sql, string } from '#engine/sql'
import type { Filter } from '#filters/filter'
import { Events } from '#insights/compile/internal/events'
import { exposure } from '#insights/compile/exposure'
import { reachesGoal } from '#insights/compile/goal'
import { matchesEvent } from '#insights/compile/internal/event-matchers'
import type { Period } from '#insights/calendar/period'
import { asNumber } from '#insights/compile/internal/properties'
import { bothFilters } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import type { GuardMetricQuery } from './schema'

export interface GuardMetricRow {
  has_got: number
  persons: number
  mean: number | null
  variance: number | null
  p75: number | null
  above: number
}

/** Returns a row for each side with persons. */
export function guardMetric(query: GuardMetricQuery, scope: QueryScope, period: Period): Sql {
  const events = new Events(scope, query, { period })
  // the engine swaps the sides of an inner join, and then holds all events in memory instead of all persons
  return sql`
    select
      has_got,
      count() as persons,
      avg(amount) as mean,
      if(persons > 1, varSamp(amount), null) as variance,
      quantileExactInclusive(0.75)(amount) as p75,
      countIf(amount > ${float(query.over ?? 0)}) as above
    from (
      select person, any(got) as has_got, ${amountOf(query.outcome, events)} as amount, ${isCounted(query.outcome, events)} as is_counted
      from ${events.rows()} as events
      left any join (${flagAnswers(query, scope, period)}) as told on told.who = events.person
      where told_at > ${dateTime(never)} and timestamp >= told_at
      group by person
    )
    where is_counted
    group by has_got`
}

const never = new Date(0)

/** Returns the value of each person and its time, as `who`, `got` and `told_at`. */
function flagAnswers(query: GuardMetricQuery, scope: QueryScope, period: Period): Sql {
  const { flag, variant } = query
  const events = new Events(scope, query, { period })
  const asks: Filter = { type: 'event', key: exposure.flag, operator: 'exact', value: [flag] }
  const isAnswer = sql`(event = ${string(exposure.event)} and ${events.holds(asks)})`
  const answer = events.property({ type: 'event', key: exposure.value }).text
  const carried = events.property({ type: 'event', key: `${exposure.carried}${flag}` }).text
  const value = sql`if(${isAnswer} and ${answer} != '', ${answer}, ${carried})`
  return sql`
    select
      who,
      argMax(is_got, (last_told, is_got)) as got,
      greatest(argMax(first_told, (last_told, is_got)), if(count() > 1, min(last_told), min(first_told))) as told_at
    from (
      select
        who,
        ${variant === undefined ? sql`value != 'false'` : sql`value = ${string(variant)}`} as is_got,
        min(timestamp) as first_told,
        max(timestamp) as last_told
      from (
        select person as who, timestamp, ${value} as value
        from ${events.rows()}
      )
      where value != '' and who in (${flagRequesters(query, scope, period, asks)})
      group by who, is_got
    )
    group by who`
}

function flagRequesters(
  query: GuardMetricQuery,
  scope: QueryScope,
  { from, until }: Period,
  asks: Filter,
): Sql {
  const since = query.since ? new Date(query.since) : from
  const exposures = new Events(
    scope,
    { ...query, filter: bothFilters(asks, query.filter) },
    { period: { from: since, until }, names: [exposure.event] },
  )
  return sql`select person from ${exposures.rows()}`
}

function amountOf(outcome: GuardMetricQuery['outcome'], events: Events): Sql {
  if (outcome.type === 'reached') return sql`toFloat64(max(${reachesGoal(outcome.goal, events)}))`
  if (outcome.type === 'times') return sql`toFloat64(countIf(${matchesEvent(outcome.happening, events)}))`
  const { amount, isMeasured } = measurement(outcome, events)
  return sql`quantileExactInclusiveIf(0.75)(assumeNotNull(${amount}), ${isMeasured})`
}

const isCounted = (outcome: GuardMetricQuery['outcome'], events: Events): Sql =>
  outcome.type === 'measured' ? sql`countIf(${measurement(outcome, events).isMeasured}) > 0` : sql`true`

function measurement(
  { event, property }: Extract<GuardMetricQuery['outcome'], { type: 'measured' }>,
  events: Events,
) {
  const amount = asNumber(events.property({ type: 'event', key: property }))
  return { amount, isMeasured: sql`(event = ${string(event)} and isFinite(ifNull(${amount}, nan)))` }
}
