import { z } from 'zod'
import { type Sql, sql } from '../engine/sql'
import type { Events } from './events'

/** Whom a number counts: persons, or the groups of a type, such as companies. */
export const counted = z.union([
  z.literal('person'),
  z.object({ group: z.string().min(1, 'Say which type of groups to count.').max(200) }),
])
export type Counted = z.infer<typeof counted>

/** Who did it, or the group's key; on the columns of `events.rows()`, where that source is called `events`. */
export const whoDid = (per: Counted, events: Events): Sql =>
  per === 'person'
    ? sql`person`
    : events.property({ type: 'group', group: per.group, key: '$group_key' }).text

/** An event that belongs to no group of the type counts for none. */
export const isCounted = (per: Counted, events: Events): Sql =>
  per === 'person' ? sql`true` : sql`(${whoDid(per, events)} != '')`
