import { float, int, type Sql, sql, string, uint } from '../../../engine/sql'
import { standardProperties, type StandardProperty } from '../../../events/taxonomy'
import { Events } from '../../events'
import { isHappening, namesIn } from '../../happenings'
import { eventProperty } from '../../properties'
import type { Scope } from '../../scope'
import { windowMs } from '../funnel/attempts'
import { runs } from '../funnel/runs'
import type { FunnelStretch } from '../funnel/stretch'
import { type CorrelationQuestion, stepOf } from './question'

export interface Totals {
  converted: number
  dropped: number
}

/** Of those with a trait how many converted and how many did not, and how much that changes the odds. */
export interface TraitRow extends Totals {
  name: string
  value: string
  log_odds: number
  error: number
}

/** How many are shown of what raises the odds, and of what lowers them. */
export const mostTraits = 20

/** The odds differ from 1 with a confidence of 95 %, as the normal distribution of their logarithm has it. */
export const deviations = 1.96

/** From the first step on; who did not convert had the whole window for it. */
function courses(question: CorrelationQuestion, scope: Scope, stretch: FunnelStretch): Sql {
  const all = runs({ ...question, per: 'person', attribution: 'first' }, scope, stretch)
  const reached = sql`moments[${int(stepOf(question) + 1)}]`
  return sql`
    select
      who,
      moments[1] as began,
      ${reached} > 0 as has_converted,
      if(has_converted, ${reached}, began + ${int(windowMs(question.window))} + 1) as ended
    from (${all})`
}

export const totals = (question: CorrelationQuestion, scope: Scope, stretch: FunnelStretch): Sql => sql`
  select countIf(has_converted) as converted, countIf(not has_converted) as dropped
  from (${courses(question, scope, stretch)})`

/**
 * The odds ratio of converting with a trait and without it, with one added to each of the four numbers, so that nothing
 * is divided by zero and what only a few have is not overrated.
 */
export function traits(
  question: CorrelationQuestion,
  scope: Scope,
  stretch: FunnelStretch,
  { converted, dropped }: Totals,
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
          from (${havers(question, scope, stretch)})
          group by name, value
        )
      )
      where abs(log_odds) > ${float(deviations)} * error
    )
    where (log_odds > 0 and from_top <= ${uint(mostTraits)}) or (log_odds < 0 and from_bottom <= ${uint(mostTraits)})
    order by log_odds desc, name, value`
}

/** Who has which trait, once each, as `who`, `has_converted`, `name` and `value`. */
function havers(question: CorrelationQuestion, scope: Scope, stretch: FunnelStretch): Sql {
  return question.by === 'event' ? byEvents(question, scope, stretch) : byProperties(question, scope, stretch)
}

const at = sql`toUnixTimestamp64Milli(timestamp)`

function byEvents(question: CorrelationQuestion, scope: Scope, stretch: FunnelStretch): Sql {
  const events = eventsOf(question, scope, stretch)
  const isStep = sql`(${sql.join(
    question.steps.map((step) => isHappening(step, events)),
    sql` or `,
  )})`
  return sql`
    select distinct who, has_converted, toString(event) as name, '' as value
    from ${events.rows()} as events
    ${withCourses(question, scope, stretch)}
    where ${at} > began and ${at} < ended and not ${isStep}`
}

/** Of the event each attempt began with; where there are several at that instant, of one of them. */
function byProperties(question: CorrelationQuestion, scope: Scope, stretch: FunnelStretch): Sql {
  const firsts = question.order === 'unordered' ? question.steps : question.steps.slice(0, 1)
  const events = eventsOf(question, scope, stretch, namesIn(firsts))
  const begins = sql`(${sql.join(
    firsts.map((step) => isHappening(step, events)),
    sql` or `,
  )})`
  const isOfPersons = question.by === 'person property'
  // Asked for one of them, all of them are there.
  if (isOfPersons) events.property({ type: 'person', key: '' })
  return sql`
    select who, has_converted, trait.1 as name, trait.2 as value
    from (
      select who, has_converted, ${isOfPersons ? personTraits : eventTraits} as traits
      from ${events.rows()} as events
      ${withCourses(question, scope, stretch)}
      where ${at} = began and ${begins}
      limit 1 by who
    )
    array join traits as trait
    where value != ''`
}

/**
 * Who entered once each, so an inner join would say the same; but of that the engine changes the sides, and then holds
 * all events in memory instead of all persons. Whoever did not enter began and ended at zero.
 */
const withCourses = (question: CorrelationQuestion, scope: Scope, stretch: FunnelStretch): Sql =>
  sql`left any join (${courses(question, scope, stretch)}) as courses on courses.who = events.person`

const eventsOf = (
  question: CorrelationQuestion,
  scope: Scope,
  { from, readUntil }: FunnelStretch,
  names?: readonly string[],
): Events => new Events(scope, question, { period: { from, until: readUntil }, names })

const properties: readonly [string, StandardProperty][] = Object.entries(standardProperties)

/** They say what others say, or something else of everybody. */
const tellNothing: ReadonlySet<string> = new Set([
  'title',
  '$referrer',
  '$elements_chain',
  '$lib',
  '$lib_version',
])

const columnTraits = properties.flatMap(([key, { column, type }]) =>
  column && type === 'text' && !tellNothing.has(key)
    ? [sql`(${string(key)}, ${eventProperty(key).text})`]
    : [],
)

const eventTraits = sql`
  arrayConcat([${sql.join(columnTraits)}], arrayMap((key, value) -> (toString(key), value), mapKeys(properties), mapValues(properties)))`

const personTraits = sql`
  arrayMap((key, value) -> (toString(key), value), mapKeys(person_properties), mapValues(person_properties))`

export interface Trait {
  name: string
  value: string
  outcome: 'converted' | 'dropped'
}

export const personsWith = (
  question: CorrelationQuestion,
  { name, value, outcome }: Trait,
  scope: Scope,
  stretch: FunnelStretch,
): Sql => sql`
  select who as person
  from (${havers(question, scope, stretch)})
  where name = ${string(name)}
    and value = ${string(value)}
    and ${outcome === 'converted' ? sql`has_converted` : sql`not has_converted`}`
