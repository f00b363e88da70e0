import { type Sql, sql, uints } from '#engine/sql'
import type { Buckets } from '../../calendar/period'

/**
 * Returns the bucket of an instant, as the milliseconds of its beginning. The beginnings come from the calendar, which
 * is the only place that computes time zones and clock changes.
 */
export const bucketColumn = (at: Sql, { starts }: Pick<Buckets, 'starts'>): Sql =>
  // if the calendar skips the only day of a period there are no buckets, and the engine accepts no empty list
  starts.length === 0
    ? sql`toUInt64(0)`
    : sql`roundDown(toUInt64(toUnixTimestamp64Milli(${at})), ${uints(starts.map((start) => start.getTime()))})`
