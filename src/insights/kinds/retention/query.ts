import { dateTime, type Sql, sql, strings, uint } from '#engine/sql'
import { breakdownKey } from '#insights/compile/internal/breakdowns'
import { hasCountedEntity, countedEntityColumn } from '#insights/compile/counted-entity'
import { Events } from '#insights/compile/internal/events'
import { matchesEvent, eventNamesOf } from '#insights/compile/internal/event-matchers'
import { wholePeriodOf } from '#insights/calendar/intervals'
import {
  earliestBit,
  hasBit,
  activityBit,
  bitPositions,
  bitsSince,
} from '#insights/compile/internal/activity-bitmask'
import type { Buckets } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import type { RetentionQuery } from './schema'

/** The number of persons of one cohort who returned after so many intervals; after 0 are all of them. */
export interface RetentionCell {
  /** The rank of the value by its number of persons; the last rank is all others. */
  rank: number
  value: string
  cohort: number
  gap: number
  counted: number
}

/** Returns all cells that are not empty. */
export const retention = (query: RetentionQuery, scope: QueryScope, buckets: Buckets): Sql => sql`
  with
    entries as (${entriesOf(query, scope, buckets)}),
    courses as (
      select value, entered, returned, count() as alike
      from entries
      group by value, entered, returned
    ),
    cohorts as (
      select value, returned, alike, arrayJoin(${bitPositions(sql`entered`)}) as cohort
      from courses
    ),
    cells as (
      select value, cohort, arrayJoin(${gapsOf(query)}) as gap, sum(alike) as counted
      from cohorts
      where cohort > 0
      group by value, cohort, gap
    ),
    sized as (
      select *, sumIf(counted, gap = 0) over (partition by value) as size
      from cells
    ),
    ranked as (
      select *, dense_rank() over (order by size desc, value) as place
      from sized
    )
  select
    least(place, ${uint(query.limit + 1)}) as rank,
    any(value) as value,
    toUInt32(cohort - 1) as cohort,
    toUInt32(gap) as gap,
    sum(ranked.counted) as counted
  from ranked
  group by rank, ranked.cohort, ranked.gap`

/** Returns after how many intervals a person of a cohort came back; zero is always included. */
function gapsOf({ rolling }: RetentionQuery): Sql {
  const gaps = bitPositions(sql`bitOr(${bitsSince(sql`returned`, sql`cohort`)}, 1)`)
  return rolling ? sql`range(toUInt64(${gaps}[-1] + 1))` : gaps
}

/** Persons with their start and their returns. With a breakdown, one row for each start. */
const entriesOf = (query: RetentionQuery, scope: QueryScope, buckets: Buckets): Sql =>
  query.breakdown ? withValues(query, scope, buckets) : withoutValues(query, scope, buckets)

function withoutValues(query: RetentionQuery, scope: QueryScope, buckets: Buckets): Sql {
  const { from, isTarget, isReturn, who, mark } = sourceOf(query, scope, buckets)
  const active =
    query.minimum === 1
      ? sql`
        select
          ${who} as who,
          groupBitOrIf(${mark}, ${isTarget}) as started,
          groupBitOrIf(${mark}, ${isReturn}) as returned
        ${from}
        group by who`
      : sql`
        select
          who,
          groupBitOrIf(mark, targets > 0) as started,
          groupBitOrIf(mark, returns >= ${uint(query.minimum)}) as returned
        from (
          select ${who} as who, ${mark} as mark, countIf(${isTarget}) as targets, countIf(${isReturn}) as returns
          ${from}
          group by who, mark
        )
        group by who`
  const entered = query.mode === 'recurring' ? sql`started` : earliestBit(sql`started`)
  return sql`
    select who, '' as value, ${entered} as entered, returned
    from (${active})
    where started != 0`
}

function withValues(query: RetentionQuery, scope: QueryScope, buckets: Buckets): Sql {
  const { from, isTarget, isReturn, who, mark, value } = sourceOf(query, scope, buckets)
  const counted = query.mode === 'recurring' ? sql`starts` : sql`arraySlice(arraySort(starts), 1, 1)`
  return sql`
    select who, substring(entry.2, 16) as value, entry.1 as entered, returned
    from (
      select
        who,
        groupArrayIf((mark, first), targets > 0) as starts,
        groupBitOrIf(mark, returns >= ${uint(query.minimum)}) as returned
      from (
        select
          ${who} as who,
          ${mark} as mark,
          countIf(${isTarget}) as targets,
          countIf(${isReturn}) as returns,
          minIf(${timeAnd(value)}, ${isTarget}) as first
        ${from}
        group by who, mark
      )
      group by who
    )
    array join ${counted} as entry`
}

/**
 * Formats time and value as one text, whose minimum is the value at the earliest time: the minimum of pairs takes the
 * engine twice as long.
 */
const timeAnd = (value: Sql): Sql =>
  sql`concat(leftPad(toString(toUnixTimestamp64Milli(timestamp)), 15, '0'), ${value})`

/** The source of the events, and the meaning of its columns. */
function sourceOf(query: RetentionQuery, scope: QueryScope, buckets: Buckets) {
  const { target, returning = target, mode, per, breakdown } = query
  const { from, until } = wholePeriodOf(buckets)
  const reach = {
    period: { from: mode === 'first-ever' ? new Date(0) : from, until },
    names: eventNamesOf([target, returning]),
  }
  const events = new Events(scope, query, reach)
  const isTarget = matchesEvent(target, events)
  const isReturn = matchesEvent(returning, events)
  const value = breakdownKey(breakdown ? [breakdown] : [], events, scope, []).key
  const who = countedEntityColumn(per, events)
  const rows = sql`
    from ${events.rows()} as events
    where ${hasCountedEntity(per, events)} and (${isTarget} or (${isReturn} and timestamp >= ${dateTime(from)}))`
  return { from: rows, isTarget, isReturn, who, value, mark: activityBit(sql`timestamp`, buckets.starts) }
}

/** The cell of the persons, and whether they returned or not. */
export interface CellOfPersons {
  cohort: number
  interval: number
  returned: boolean
  /** Only persons who started with one of these values, or with none of them. */
  values?: { among: boolean; keys: string[] }
}

export function personsOf(
  query: RetentionQuery,
  { cohort, interval, returned, values }: CellOfPersons,
  scope: QueryScope,
  buckets: Buckets,
): Sql {
  const came =
    interval === 0
      ? sql`true`
      : query.rolling
        ? sql`(${bitsSince(sql`returned`, uint(cohort + 1 + interval))} != 0)`
        : hasBit(sql`returned`, cohort + 1 + interval)
  const conditions = [hasBit(sql`entered`, cohort + 1), returned ? came : sql`not ${came}`]
  if (values) conditions.push(values.among ? isOneOf(values.keys) : sql`not ${isOneOf(values.keys)}`)
  return sql`
    select who as person
    from (${entriesOf(query, scope, buckets)})
    where ${sql.join(conditions, sql` and `)}`
}

const isOneOf = (keys: string[]): Sql => sql`has(${strings(keys)}, value)`
