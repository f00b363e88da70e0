import { type Sql, sql, uints } from '#engine/sql'
import type { Buckets } from '../calendar/period'

/**
 * In which bucket an instant falls, told by the milliseconds of its beginning. The beginnings come from the calendar, so
 * that there is one place which knows about zones and changes of the clocks, and the engine is none.
 */
export const bucketColumn = (at: Sql, { starts }: Pick<Buckets, 'starts'>): Sql =>
  // where the calendar leaves out the only day of a period nothing falls anywhere, and the engine takes no empty list
  starts.length === 0
    ? sql`toUInt64(0)`
    : sql`roundDown(toUInt64(toUnixTimestamp64Milli(${at})), ${uints(starts.map((start) => start.getTime()))})`
