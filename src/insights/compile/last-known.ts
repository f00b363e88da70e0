import { type Sql, sql } from '#engine/sql'
import type { FilterColumn } from '#filters/filter'
import { numberIn } from '#filters/numbers'
import { inMap } from './internal/properties'

/**
 * The last place and device of a person: the last values that any of their events had, so that visitors without a
 * profile count, and merged persons count once. A value that was only set in a profile counts if no event has one.
 */
const columns = {
  $geoip_country_code: { column: sql`country`, as: sql`last_country` },
  $geoip_subdivision_1_name: { column: sql`region`, as: sql`last_region` },
  $geoip_city_name: { column: sql`city`, as: sql`last_city` },
  $browser: { column: sql`browser`, as: sql`last_browser` },
  $browser_version: { column: sql`browser_version`, as: sql`last_browser_version` },
  $os: { column: sql`os`, as: sql`last_os` },
  $os_version: { column: sql`os_version`, as: sql`last_os_version` },
  $device_type: { column: sql`device`, as: sql`last_device` },
} as const

export type LastKnownKey = keyof typeof columns

export const isLastKnownKey = (key: string): key is LastKnownKey => Object.hasOwn(columns, key)

export const lastKnownKeys: readonly LastKnownKey[] = Object.keys(columns).filter(isLastKnownKey)

/** Selects `person_of_last_known` and `lastKnownColumns`, one row for each person of these events. */
export const lastKnownValues = (events: Sql, keys: readonly LastKnownKey[]): Sql => sql`(
    select
      person as person_of_last_known,
      ${lastKnownAggregates(keys)}
    from ${events}
    group by person
  )`

/** The aggregates of `lastKnownColumns`, for a statement that groups events by person. */
export const lastKnownAggregates = (keys: readonly LastKnownKey[]): Sql =>
  sql.join(keys.map((key) => lastOf(columns[key])))

const lastOf = ({ column, as }: (typeof columns)[LastKnownKey]): Sql =>
  sql`toString(argMaxIf(${column}, timestamp, ${column} != '')) as ${as}`

/** The columns of `lastKnownValues` besides the person. */
export const lastKnownColumns = (keys: readonly LastKnownKey[]): Sql =>
  sql.join(keys.map((key) => columns[key].as))

/** Names the values of `lastKnownColumns` for all keys; empty ones are left out. */
export const lastKnownIn = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(lastKnownKeys.flatMap((key, i) => (values[i] ? [[key, values[i]]] : [])))

/** Resolves a property on joined last known values, and on the properties of a profile. */
export function lastKnownColumn(key: LastKnownKey, properties: Sql): FilterColumn {
  const { as } = columns[key]
  const stored = inMap(properties, key)
  const text = sql`if(${as} != '', ${as}, ${stored.text})`
  return { text, isSet: sql`(${as} != '' or ${stored.isSet})`, number: numberIn(text) }
}
