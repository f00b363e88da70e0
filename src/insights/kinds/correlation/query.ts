import { float, int, type Sql, sql, string, strings, uint } from '#engine/sql'
import { standardProperties, type StandardProperty, systemEvents } from '#events/taxonomy'
import { Events } from '#insights/compile/internal/events'
import { matchesEvent, eventNamesOf } from '#insights/compile/internal/event-matchers'
import { eventProperty } from '#insights/compile/internal/properties'
import type { QueryScope } from '#insights/scope'
import { windowMs } from '../funnel/internal/attempts'
import { runs } from '../funnel/internal/entrants'
import type { FunnelTimeRange } from '../funnel/internal/funnel-time-ranges'
import { type CorrelationQuery, stepOf } from './schema'

export interface CorrelationTotals {
  converted: number
  dropped: number
}

/** The persons with a trait who converted and who did not, and the odds ratio. */
export interface TraitRow extends CorrelationTotals {
  name: string
  value: string
  log_odds: number
  error: number
}

/** The number of traits shown on each side. */
const mostTraits = 20

/** The standard deviations of a 95 % confidence interval; the logarithm of the odds ratio is about normal. */
export const deviations = 1.96

/** Returns the time range of each entrant, from the first step on; without a conversion it is the whole window. */
function enteredCourses(query: CorrelationQuery, scope: QueryScope, timeRange: FunnelTimeRange): Sql {
  const all = runs({ ...query, per: 'person', attribution: 'first' }, scope, timeRange)
  const reached = sql`moments[${int(stepOf(query) + 1)}]`
  return sql`
    select
      who,
      moments[1] as began,
      ${reached} > 0 as has_converted,
      if(has_converted, ${reached}, began + ${int(windowMs(query.window))} + 1) as ended
    from (${all})`
}

export const totals = (query: CorrelationQuery, scope: QueryScope, timeRange: FunnelTimeRange): Sql => sql`
  select countIf(has_converted) as converted, countIf(not has_converted) as dropped
  from (${enteredCourses(query, scope, timeRange)})`

/**
 * Computes the odds ratio of converting with a trait and without it. One is added to each of the four numbers, to avoid
 * division by zero and overrated rare traits.
 */
export function traits(
  query: CorrelationQuery,
  scope: QueryScope,
  timeRange: FunnelTimeRange,
  { converted, dropped }: CorrelationTotals,
): Sql {
  const [with_, without] = [
    [sql`(converted + 1)`, sql`(dropped + 1)`],
    [sql`(${uint(converted)} - converted + 1)`, sql`(${uint(dropped)} - dropped + 1)`],
  ] as const
  return sql`
    select name, value, converted, dropped, log_odds, error
    from (
      select
        *,
        row_number() over (order by log_odds desc, name, value) as from_top,
        row_number() over (order by log_odds, name, value) as from_bottom
      from (
        select
          *,
          log((${with_[0]} * ${without[1]}) / (${with_[1]} * ${without[0]})) as log_odds,
          sqrt(1 / ${with_[0]} + 1 / ${with_[1]} + 1 / ${without[0]} + 1 / ${without[1]}) as error
        from (
          select
            name,
            value,
            countIf(has_converted) as converted,
            countIf(not has_converted) as dropped
          from (${personsWithTrait(query, scope, timeRange)})
          group by name, value
          having converted + dropped >= ${uint(query.leastPersons)}
        )
      )
      where abs(log_odds) > ${float(deviations)} * error
    )
    where (log_odds > 0 and from_top <= ${uint(mostTraits)}) or (log_odds < 0 and from_bottom <= ${uint(mostTraits)})
    order by log_odds desc, name, value`
}

/** Returns each person's distinct traits as `who`, `has_converted`, `name` and `value`. */
function personsWithTrait(query: CorrelationQuery, scope: QueryScope, timeRange: FunnelTimeRange): Sql {
  return query.by === 'event' ? byEvents(query, scope, timeRange) : byProperties(query, scope, timeRange)
}

const at = sql`toUnixTimestamp64Milli(timestamp)`

function byEvents(query: CorrelationQuery, scope: QueryScope, timeRange: FunnelTimeRange): Sql {
  const events = eventsOf(query, scope, timeRange)
  const isStep = sql`(${sql.join(
    query.steps.map((step) => matchesEvent(step, events)),
    sql` or `,
  )})`
  const unlisted = query.systemEvents ? sql`` : sql`and event not in ${strings(systemEvents)}`
  return sql`
    select distinct who, has_converted, toString(event) as name, '' as value
    from ${events.rows()} as events
    ${withCourses(query, scope, timeRange)}
    where ${at} > began and ${at} < ended and not ${isStep} ${unlisted}`
}

/** Traits from properties of the event that began the attempt; of several at that instant, one is taken. */
function byProperties(query: CorrelationQuery, scope: QueryScope, timeRange: FunnelTimeRange): Sql {
  const firsts = query.order === 'unordered' ? query.steps : query.steps.slice(0, 1)
  const events = eventsOf(query, scope, timeRange, eventNamesOf(firsts))
  const begins = sql`(${sql.join(
    firsts.map((step) => matchesEvent(step, events)),
    sql` or `,
  )})`
  const isOfPersons = query.by === 'person property'
  // one request joins all person properties
  if (isOfPersons) events.property({ type: 'person', key: '' })
  return sql`
    select who, has_converted, trait.1 as name, trait.2 as value
    from (
      select who, has_converted, ${isOfPersons ? personTraits : eventTraits} as traits
      from ${events.rows()} as events
      ${withCourses(query, scope, timeRange)}
      where ${at} = began and ${begins}
      limit 1 by who
    )
    array join traits as trait
    where value != ''`
}

/**
 * Joins events with entrants. Each entrant has one row, so an inner join would be equivalent; but the engine swaps its
 * sides, and then holds all events in memory instead of all persons. Persons who did not enter begin and end at zero.
 */
const withCourses = (query: CorrelationQuery, scope: QueryScope, timeRange: FunnelTimeRange): Sql =>
  sql`left any join (${enteredCourses(query, scope, timeRange)}) as courses on courses.who = events.person`

const eventsOf = (
  query: CorrelationQuery,
  scope: QueryScope,
  { from, readUntil }: FunnelTimeRange,
  names?: readonly string[],
): Events => new Events(scope, query, { period: { from, until: readUntil }, names })

const properties: readonly [string, StandardProperty][] = Object.entries(standardProperties)

/** Properties that duplicate others or differ for each person. */
const uninformativeProperties: ReadonlySet<string> = new Set([
  'title',
  '$referrer',
  '$elements_chain',
  '$lib',
  '$lib_version',
])

const columnTraits = properties.flatMap(([key, { column, type }]) =>
  column && type === 'text' && !uninformativeProperties.has(key)
    ? [sql`(${string(key)}, ${eventProperty(key).text})`]
    : [],
)

const eventTraits = sql`
  arrayConcat([${sql.join(columnTraits)}], arrayMap((key, value) -> (toString(key), value), mapKeys(properties), mapValues(properties)))`

const personTraits = sql`
  arrayMap((key, value) -> (toString(key), value), mapKeys(person_properties), mapValues(person_properties))`

export interface TraitPoint {
  name: string
  value: string
  outcome: 'converted' | 'dropped'
}

export const personsWith = (
  query: CorrelationQuery,
  { name, value, outcome }: TraitPoint,
  scope: QueryScope,
  timeRange: FunnelTimeRange,
): Sql => sql`
  select who as person
  from (${personsWithTrait(query, scope, timeRange)})
  where name = ${string(name)}
    and value = ${string(value)}
    and ${outcome === 'converted' ? sql`has_converted` : sql`not has_converted`}`
