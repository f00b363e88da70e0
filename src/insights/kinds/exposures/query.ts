import { dateTime, type Sql, sql, string, strings, uint } from '#engine/sql'
import { Events } from '#insights/compile/internal/events'
import type { Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import { exposure } from '#insights/compile/exposure'
import type { ExposuresQuery } from './schema'

/** The counts of a flag, of one value or of one library. A person with two values counts once for the flag. */
export interface ExposureRow {
  flag: string
  part: 'whole' | 'value' | 'library'
  value: string
  library: string
  times: number
  persons: number
  first_asked: string
  last_asked: string
}

/** A project has at most ten thousand flags; the rest are keys that code evaluates and that do not exist. */
const mostRows = 50_000

/** Counts cover the period, first and last times cover all time; one scan computes both. */
export function exposures(query: ExposuresQuery, scope: QueryScope, { from, until }: Period): Sql {
  const events = new Events(scope, query, { period: { from: ever, until }, names: [exposure.event] })
  const textOf = (key: string) => events.property({ type: 'event', key }).text
  const only = query.flags ? sql`asked_flag in ${strings(query.flags)}` : sql`asked_flag != ''`
  const isExposure = sql`not startsWith(asked_flag, ${string(exposure.surveyTargeting)})`
  return sql`
    select
      asked_flag as flag,
      multiIf(grouping(asked_value) = 0, 'value', grouping(asked_by) = 0, 'library', 'whole') as part,
      asked_value as value,
      asked_by as library,
      countIf(timestamp >= ${dateTime(from)}) as times,
      uniqExactIf(person, timestamp >= ${dateTime(from)}) as persons,
      min(timestamp) as first_asked,
      max(timestamp) as last_asked
    from (
      select
        timestamp,
        person,
        toString(lib) as asked_by,
        ${textOf(exposure.flag)} as asked_flag,
        ${textOf(exposure.value)} as asked_value
      from ${events.rows()}
    )
    where ${only}
      and ${isExposure}
    group by grouping sets ((asked_flag, asked_value), (asked_flag, asked_by), (asked_flag))
    order by flag, persons desc, times desc, value, last_asked desc, library
    limit ${uint(mostRows)}`
}

const ever = new Date(0)
