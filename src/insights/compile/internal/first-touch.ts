import { type Sql, sql } from '#engine/sql'
import type { FilterColumn } from '#filters/filter'

/**
 * The origin of a person: the source and the channel of the earliest page view. They are computed from all stored
 * events, so that visits before a sign-up and merged persons count. A profile does not have them.
 */
const columns = {
  $initial_source: sql`first_source`,
  $initial_channel_type: sql`first_channel`,
} as const

export type FirstTouchKey = keyof typeof columns
export const firstTouchKeys: readonly FirstTouchKey[] = ['$initial_channel_type', '$initial_source']

export const isFirstTouchKey = (key: string): key is FirstTouchKey => Object.hasOwn(columns, key)

/** The columns of `firstTouches` besides the person. */
export const firstTouchColumns = sql.join(Object.values(columns))

/** Resolves a property on joined first touches; a person without page views has none. */
export function firstTouchColumn(key: FirstTouchKey): FilterColumn {
  const text = sql`toString(${columns[key]})`
  return { text, isSet: sql`(${text} != '')` }
}

/** Selects `person_of_touch` and the columns, one row for each person, from page views in the order of `moment`. */
export const firstTouches = (views: Sql): Sql => sql`(
    select
      person as person_of_touch,
      argMin(source, moment) as first_source,
      argMin(channel, moment) as first_channel
    from ${views}
    where channel != ''
    group by person
  )`
