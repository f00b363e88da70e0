import { type Sql, sql, string } from '#engine/sql'
import { Events } from '#insights/compile/internal/events'
import { exposure } from '#insights/compile/exposure'
import type { Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import type { ClientCoverageQuery } from './schema'

export interface ClientCoverageRow {
  served: number
  seen: number
}

export function clientCoverage(query: ClientCoverageQuery, scope: QueryScope, period: Period): Sql {
  const events = new Events(scope, query, { period, names: [exposure.event, exposure.seen] })
  const isAbout = query.flag
    ? sql`${events.property({ type: 'event', key: exposure.flag }).text} = ${string(query.flag)}`
    : sql`true`
  return sql`
    select countIf(was_served) as served, countIf(was_served and has_seen) as seen
    from (
      select
        person,
        countIf(event = ${string(exposure.event)} and lib = ${string(exposure.site)}) > 0 as was_served,
        countIf(event = ${string(exposure.seen)}) > 0 as has_seen
      from ${events.rows()}
      where ${isAbout}
      group by person
    )`
}
