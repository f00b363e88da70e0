import { z } from 'zod'
import { type Sql, sql } from '#engine/sql'
import type { Events } from './internal/events'

/** The entity that a number counts: persons, or the groups of a type, such as companies. */
export const countedEntity = z.union([
  z.literal('person'),
  z.object({ group: z.string().min(1, 'Say which type of groups to count.').max(200) }),
])
export type CountedEntity = z.infer<typeof countedEntity>

/** Returns the person or the group's key, on the columns of `events.rows()`, if that source is called `events`. */
export const countedEntityColumn = (per: CountedEntity, events: Events): Sql =>
  per === 'person'
    ? sql`person`
    : events.property({ type: 'group', group: per.group, key: '$group_key' }).text

/** Excludes events without a group of the type. */
export const hasCountedEntity = (per: CountedEntity, events: Events): Sql =>
  per === 'person' ? sql`true` : sql`(${countedEntityColumn(per, events)} != '')`
