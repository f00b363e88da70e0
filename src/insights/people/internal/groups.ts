import { type Sql, sql, string, uint } from '#engine/sql'
import { Events } from '../../compile/internal/events'
import { periodOn } from '../../calendar/period'
import { groupRows } from '../../compile/internal/profiles'
import type { QueryScope } from '../../scope'
import { nameOf } from '../person-label'
import { peopleOnly } from '../person-list'
import type { GroupPage, GroupProfile } from '../person-records'

interface GroupRow {
  type: string
  key: string
  properties: Record<string, string>
  created_at: string
  persons: number
  last_seen: string
  total: number
}

export async function groupPageOf(
  { type, search, page }: { type: string; search: string; page: number },
  scope: QueryScope,
  size: number,
): Promise<GroupPage> {
  const has = (text: Sql) => sql`positionCaseInsensitiveUTF8(${text}, ${string(search)}) > 0`
  const fits =
    search === ''
      ? sql`true`
      : sql`(${has(sql`key`)} or arrayExists(one -> ${has(sql`one`)}, mapValues(properties)))`
  const rows = await scope.run<GroupRow>(sql`
    ${withPersons(type, fits, scope)}
    order by persons desc, key
    limit ${uint(size)}
    offset ${uint((page - 1) * size)}`)
  return { groups: rows.map(groupFrom), total: rows[0]?.total ?? 0 }
}

export async function groupOf(
  { type, key }: { type: string; key: string },
  scope: QueryScope,
): Promise<GroupProfile | undefined> {
  const rows = await scope.run<GroupRow>(withPersons(type, sql`key = ${string(key)}`, scope))
  return rows.map(groupFrom)[0]
}

const withPersons = (type: string, only: Sql, scope: QueryScope): Sql => sql`
  select toString(type) as type, key, properties, created_at, persons, last_seen, count() over () as total
  from ${groupRows(scope, type)} as known
  left any join (
    select groups[${string(type)}] as group_key, uniqExact(person) as persons, max(timestamp) as last_seen
    from ${new Events(scope, peopleOnly, { period: periodOn(scope.calendar, '30d') }).rows()}
    where group_key != ''
    group by group_key
  ) as seen on seen.group_key = known.key
  where ${only}`

const groupFrom = (row: GroupRow): GroupProfile => ({
  type: row.type,
  key: row.key,
  name: nameOf(row.properties, row.key),
  properties: row.properties,
  createdAt: row.created_at,
  persons: row.persons,
  lastSeen: row.persons > 0 ? row.last_seen : undefined,
})
