import { type Sql, sql, uint, uints } from '#engine/sql'
import { bucketColumn } from './bucket-column'

/** A 256-bit number has room for these and the time before them. */
export const mostIntervalsInBitmask = 250

/**
 * The intervals in which a person was active, as a bitmask: bit 0 is all the time before the first interval, bit 1 the
 * first one. Bitmasks take the engine two thirds of the time of lists of intervals.
 */
export function activityBit(at: Sql, starts: readonly Date[]): Sql {
  const bounds = [new Date(0), ...starts]
  const times = uints(bounds.map((bound) => bound.getTime()))
  const places = uints(bounds.map((_, place) => place))
  const place = sql`transform(${bucketColumn(at, { starts: bounds })}, ${times}, ${places}, toUInt64(0))`
  return sql`bitShiftLeft(${oneOf(starts.length)}, ${place})`
}

/** Uses 256 bits only where needed, because they take four times the memory. */
const oneOf = (intervals: number): Sql => (intervals < 64 ? sql`toUInt64(1)` : sql`toUInt256(1)`)

/** Keeps only the lowest bit. */
export const earliestBit = (bitmask: Sql): Sql => sql`bitAnd(${bitmask}, bitNot(${bitmask}) + 1)`

/** Removes the bits of the other. */
export const withoutBits = (bitmask: Sql, others: Sql): Sql => sql`bitAnd(${bitmask}, bitNot(${others}))`

/** Shifts each bit to the next interval. */
export const shiftedLater = (bitmask: Sql): Sql => sql`bitShiftLeft(${bitmask}, 1)`

/** Keeps the bits from an index on, which becomes bit 0. */
export const bitsSince = (bitmask: Sql, place: Sql): Sql => sql`bitShiftRight(${bitmask}, ${place})`

export const bitPositions = (bitmask: Sql): Sql => sql`bitPositionsToArray(${bitmask})`

export const hasBit = (bitmask: Sql, place: number): Sql => sql`has(${bitPositions(bitmask)}, ${uint(place)})`
