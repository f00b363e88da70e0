import { sql, uint } from '#engine/sql'
import type { Properties } from '#events/event'
import { type Period, periodOn } from '../calendar/period'
import { allTime } from '../compile/event-range'
import { Events } from '../compile/internal/events'
import { lastKnownColumns, lastKnownIn, lastKnownKeys, lastKnownValues } from '../compile/last-known'
import type { QueryScope } from '../scope'
import { labelOf, nameOf, type PersonLabel } from './person-label'
import { peopleOnly, profilesOf } from './person-list'

/** A person as their SDK would ask for flags now: with their latest id, place, device and groups. */
export interface RecentVisitor {
  /** The current person id, as the engine knows it. */
  personId: string
  distinctId: string
  deviceId: string | undefined
  /** The latest known values of what requests show, by the names that SDKs use. */
  requestProperties: Properties
  groups: Readonly<Record<string, string>>
  lastSeen: string
}

interface VisitorRow {
  person: string
  latest_seen: string
  latest_id: string
  facts: string[]
  device_id: string
  latest_groups: Record<string, string>
  total: number
}

const recentDays = 30

/** Returns the persons of the last 30 days, the latest first, up to a number; `total` counts all of them. */
export async function recentVisitors(
  scope: QueryScope,
  most: number,
): Promise<{ visitors: RecentVisitor[]; total: number }> {
  const period: Period = periodOn(scope.calendar, `${recentDays}d`)
  const events = new Events(scope, peopleOnly, { period })
  const known = lastKnownValues(new Events(scope, peopleOnly, { period: allTime }).rows(), lastKnownKeys)
  const device = events.property({ type: 'event', key: '$device_id' }).text
  const rows = await scope.run<VisitorRow>(sql`
    select
      toString(person) as person,
      max(timestamp) as latest_seen,
      argMax(distinct_id, timestamp) as latest_id,
      any([${lastKnownColumns(lastKnownKeys)}]) as facts,
      argMaxIf(${device}, timestamp, ${device} != '') as device_id,
      argMaxIf(groups, timestamp, notEmpty(groups)) as latest_groups,
      count() over () as total
    from ${events.rows()} as seen
    left any join ${known} as last_known on last_known.person_of_last_known = seen.person
    group by person
    order by latest_seen desc, person
    limit ${uint(most)}`)
  return { visitors: rows.map(visitorFrom), total: rows[0]?.total ?? 0 }
}

const visitorFrom = (row: VisitorRow): RecentVisitor => ({
  personId: row.person,
  distinctId: row.latest_id,
  deviceId: row.device_id || undefined,
  requestProperties: lastKnownIn(row.facts),
  groups: row.latest_groups,
  lastSeen: row.latest_seen,
})

/** Returns how lists call these persons. */
export async function describeVisitors(
  visitors: readonly RecentVisitor[],
  scope: QueryScope,
): Promise<Map<string, { name: string; label: PersonLabel; isIdentified: boolean }>> {
  const ids = visitors.map(({ personId }) => personId)
  const profiles = await profilesOf(ids, scope)
  return new Map(
    visitors.map(({ personId, distinctId }) => {
      const known = profiles.get(personId)
      const properties = known?.properties ?? {}
      const name = nameOf(properties, distinctId || personId)
      const label = labelOf(properties, known?.name_id ?? personId)
      return [personId, { name, label, isIdentified: Boolean(known?.is_identified) }]
    }),
  )
}
