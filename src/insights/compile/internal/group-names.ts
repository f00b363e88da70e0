import { sql, strings } from '#engine/sql'
import { nameOf } from '../../people/person-label'
import type { Breakdown } from '../../query-fields'
import type { QueryScope } from '../../scope'
import type { BreakdownValues } from './breakdowns'
import { groupRows } from './profiles'

/** The names of groups by type and key. */
export type GroupNames = ReadonlyMap<string, ReadonlyMap<string, string>>

const noNames: GroupNames = new Map()

/** Returns the names of the groups that a breakdown by group key has found. */
export async function groupNamesIn(
  breakdowns: readonly (Breakdown | undefined)[],
  values: readonly BreakdownValues[],
  scope: QueryScope,
): Promise<GroupNames> {
  const keyed = breakdowns.flatMap((breakdown, i) => {
    const type = typeOfKeys(breakdown)
    const keys = values.flatMap((value) => value[i] ?? [])
    return type === undefined || keys.length === 0 ? [] : [{ type, keys }]
  })
  if (keyed.length === 0) return noNames
  return new Map(
    await Promise.all(
      keyed.map(async ({ type, keys }) => [type, await namesOfGroups(type, keys, scope)] as const),
    ),
  )
}

/** Returns the group type of a breakdown by group key; undefined for every other one. */
const typeOfKeys = (breakdown: Breakdown | undefined): string | undefined =>
  breakdown?.type === 'group' && breakdown.key === '$group_key' ? breakdown.group : undefined

/** Returns the names of groups by key; a group without properties is absent. */
export async function namesOfGroups(
  type: string,
  keys: readonly string[],
  scope: QueryScope,
): Promise<ReadonlyMap<string, string>> {
  const rows = await scope.run<{ key: string; properties: Record<string, string> }>(sql`
    select key, properties
    from ${groupRows(scope, type)}
    where key in ${strings([...new Set(keys)])}`)
  return new Map(rows.map(({ key, properties }) => [key, nameOf(properties, key)]))
}
