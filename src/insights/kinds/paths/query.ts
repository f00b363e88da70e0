import { type Sql, sql, string, strings, uint, uints } from '#engine/sql'
import { isAuxiliaryEvent, standardEvents } from '#events/taxonomy'
import { Events } from '#insights/compile/internal/events'
import type { Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import { noSession } from '#insights/compile/internal/sessions'
import { cleaned, fits } from './cleaning'
import { leadsBack, type PathsQuery } from './schema'

/** The number of moves from a node of one step to a node of the next. */
export interface PathMove {
  /** The step, counted from 1. For paths that lead to an end, the end is the first. */
  step: number
  /** The rank of the node in its step, from 1; ranks beyond the top are all others. */
  origin: number
  /** The rank in the next step; 0 if the path ends, and -1 if it is not followed further. */
  target: number
  sessions: number
  /** The number of nodes of the step. */
  ranks: number
  medianMs: number
  /** The number that stands for the origin's name. */
  id: string
}

/**
 * Names are numbers until the end: sorting and grouping by texts takes half as long again. Visits are read once, and
 * grouped by the next node and then by the node: only a few thousand names are ranked.
 */
export const moves = (query: PathsQuery, scope: QueryScope, period: Period): Sql => sql`
  with
    visits as (
      select
        visit.2 as id,
        onward.2 as next,
        step,
        ${kindOfMove(query)} as kind,
        if(kind = 1, toUInt32(least(abs(onward.1 - visit.1), ${uint(longestMs)})), 0) as ms
      from (${pathWalks(query, scope, period)})
      array join
        arraySlice(walk, 1, ${uint(query.steps)}) as visit,
        arraySlice(arrayPushBack(walk, ${nothing}), 2, ${uint(query.steps)}) as onward,
        arrayEnumerate(arraySlice(walk, 1, ${uint(query.steps)})) as step
    ),
    arrivals as (
      select step, kind, if(kind = 1, next, 0) as onto, groupArray((id, ms)) as came
      from visits
      group by step, kind, onto
    ),
    targets as (
      select step, came, if(kind = 1, toInt32(${placeAmong(query)}), kind) as target
      from (
        select *, row_number() over (partition by step, kind order by length(came) desc, onto) as place
        from arrivals
      )
    ),
    departures as (
      select step, id, target, groupArray(after) as times
      from targets
      array join came.1 as id, came.2 as after
      group by step, id, target
    ),
    ranked as (
      select *, max(place) over (partition by step) as last
      from (
        select *, dense_rank() over (partition by step order by size desc, id) as place
        from (select *, sum(length(times)) over (partition by step, id) as size from departures)
      )
    )
  select
    toUInt32(step) as step,
    toInt32(${placeAmong(query)}) as origin,
    target,
    sum(length(times)) as sessions,
    toUInt32(any(last)) as ranks,
    quantileExactLowArray(0.5)(times) as medianMs,
    toString(any(ranked.id)) as id
  from ranked
  group by step, origin, target
  order by step, origin, target`

const nothing = sql`(toInt64(0), toUInt64(0))`

/** The capacity of half a number: 49 days, longer than sessions and pauses. */
const longestMs = 2 ** 32 - 1

const placeAmong = ({ top }: PathsQuery): Sql => sql`least(place, ${uint(top + 1)})`

/**
 * Returns 1 if the path continues, 0 if it ends, -1 if it is not followed further: at the last step or the end point.
 */
function kindOfMove(query: PathsQuery): Sql {
  const { steps, start, end } = query
  const isLast = sql`step = ${uint(steps)}`
  const isAim = start !== undefined && end !== undefined ? sql`id = ${idOf(string(end), query)}` : sql`false`
  return sql`toInt8(multiIf(next != 0 and not ${isLast}, 1, next != 0 or (${isAim} and step > 1), -1, 0))`
}

/** Returns the names of some numbers. Each distinct name is computed once. */
export const namesOf = (
  query: PathsQuery,
  scope: QueryScope,
  period: Period,
  ids: readonly string[],
): Sql => sql`
  select distinct toString(cityHash64(name)) as id, name
  from (
    select toString(${nodeName(sql`sent`, query)}) as name
    from (
      select ${rawName(query)} as sent
      from ${visitedNodes(query, scope, period)}
      group by sent
    )
  )
  where cityHash64(name) in ${uints(ids.map(BigInt))}`

/**
 * Finds everyone whose path matches a condition on `walk`: an array of the time of each visit and the number of its
 * name.
 */
export const personsWhose = (query: PathsQuery, scope: QueryScope, period: Period, isSo: Sql): Sql => sql`
  select distinct arrayJoin(people) as person
  from (${pathWalks(query, scope, period, true)})
  where ${isSo}`

/** Whether a path has one of these names at a step, or none of them. */
export function isAt(step: number, names: readonly string[], isAmong: boolean): Sql {
  const ids = sql`[${sql.join(names.map((name) => sql`cityHash64(${string(name)})`))}]`
  const among = names.length === 0 ? sql`false` : sql`has(${ids}, walk[${uint(step)}].2)`
  return sql`(length(walk) >= ${uint(step)} and ${isAmong ? among : sql`not ${among}`})`
}

/** Whether a path ends there, neither cut nor at its end point. */
export const endsAt = (step: number, query: PathsQuery): Sql => {
  const { start, end } = query
  const leadsTo = start !== undefined && end !== undefined ? sql`${uint(step)} = 1` : sql`true`
  return sql`(length(walk) = ${uint(step)} and ${leadsTo})`
}

/** Returns paths from their start on; one visit more than is shown reveals whether there was another. */
function pathWalks(query: PathsQuery, scope: QueryScope, period: Period, withPeople = false): Sql {
  const people = withPeople ? sql`, people` : sql``
  const source = reduced(query, visitSequences(query, scope, period, withPeople), people)
  return sql`
    select arraySlice(way, 1, ${uint(query.steps + 1)}) as walk${people}
    from (${source})`
}

/** The visits of a person in a session, or without a long pause. */
function visitSequences(query: PathsQuery, scope: QueryScope, period: Period, withPeople: boolean): Sql {
  const visit = sql`(toUnixTimestamp64Milli(timestamp), ${idOf(rawName(query), query)})`
  const sorted = sql`arraySort(groupArray(${visit}))`
  const pause = sql`(visit, pause) -> pause > ${uint(query.windowMinutes * 60_000)}`
  const [by, way] =
    query.per === 'session'
      ? [sql`session_id`, sorted]
      : [sql`person`, sql`arrayJoin(arraySplit(${pause}, ${sorted} as sorted, arrayDifference(sorted.1)))`]
  const people = withPeople ? sql`, groupUniqArray(person) as people` : sql``
  return sql`
    select ${query.collapse ? sql`arrayCompact(visit -> visit.2, ${way})` : way} as way${people}
    from ${visitedNodes(query, scope, period)}
    group by ${by}`
}

function reduced(query: PathsQuery, source: Sql, people: Sql): Sql {
  const { start, end } = query
  const startId = idOf(string(start ?? ''), query)
  const endId = idOf(string(end ?? ''), query)
  if (leadsBack(query))
    return sql`
      select arrayReverse(arraySlice(way, 1, indexOf(way.2, ${endId}))) as way${people}
      from (${source}) where has(way.2, ${endId})`
  if (start === undefined) return source
  const statement = sql`
    select arraySlice(way, indexOf(way.2, ${startId})) as way${people}
    from (${source}) where has(way.2, ${startId})`
  if (end === undefined) return statement
  return sql`
    select arraySlice(way, 1, indexOf(arraySlice(way.2, 2), ${endId}) + 1) as way${people}
    from (${statement}) where has(arraySlice(way.2, 2), ${endId})`
}

/** The source of a `from`, with its conditions. */
function visitedNodes(query: PathsQuery, scope: QueryScope, period: Period): Sql {
  const events = new Events(scope, query, { period, names: namesIn(query) })
  const inSession = query.per === 'session' ? sql`and session_id != ${noSession}` : sql``
  const unlisted =
    query.of === 'events' && !query.events ? sql`and event not in ${strings(auxiliary)}` : sql``
  return sql`${events.rows()} as events where ${rawName(query)} != '' ${inSession} ${unlisted}`
}

const auxiliary = Object.keys(standardEvents).filter(isAuxiliaryEvent)

function namesIn({ of, events }: PathsQuery): readonly string[] | undefined {
  if (of === 'events') return events
  return of === 'pages' ? ['$pageview'] : ['$screen']
}

/** The name as it was sent, without functions, which would be computed per row instead of per dictionary entry. */
const rawName = ({ of }: PathsQuery): Sql =>
  of === 'pages' ? sql`path` : of === 'events' ? sql`event` : sql`properties['$screen_name']`

/** The name after cleaning and grouping. */
function nodeName(raw: Sql, { of, clean, groups }: Pick<PathsQuery, 'of' | 'clean' | 'groups'>): Sql {
  const usual = of === 'pages' && clean ? cleaned(raw) : raw
  if (groups.length === 0) return usual
  const named = groups.map(({ pattern, name }) => sql`${fits(raw, pattern)}, ${string(name ?? pattern)}`)
  return sql`multiIf(${sql.join(named)}, ${usual})`
}

const idOf = (raw: Sql, query: PathsQuery): Sql => sql`cityHash64(${nodeName(raw, query)})`
