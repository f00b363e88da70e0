import { type Sql, sql, uint, uints } from '../engine/sql'
import { bucketColumn } from './buckets'

/** A number of 256 bits has room for these and for the time before them. */
export const mostMarks = 250

/**
 * In which intervals somebody was active, as one number: place 0 is all the time before the first of them, place 1
 * the first. A number for everybody takes the engine two thirds of the time that lists of intervals do.
 */
export function markOf(at: Sql, starts: readonly Date[]): Sql {
  const bounds = [new Date(0), ...starts]
  const times = uints(bounds.map((bound) => bound.getTime()))
  const places = uints(bounds.map((_, place) => place))
  const place = sql`transform(${bucketColumn(at, { starts: bounds })}, ${times}, ${places}, toUInt64(0))`
  return sql`bitShiftLeft(${oneOf(starts.length)}, ${place})`
}

/** The larger numbers are four times as large, so only where they are needed. */
const oneOf = (intervals: number): Sql => (intervals < 64 ? sql`toUInt64(1)` : sql`toUInt256(1)`)

/** Only the first of them. */
export const earliest = (marks: Sql): Sql => sql`bitAnd(${marks}, bitNot(${marks}) + 1)`

/** Those that the other does not have. */
export const without = (marks: Sql, others: Sql): Sql => sql`bitAnd(${marks}, bitNot(${others}))`

/** Each an interval later. */
export const later = (marks: Sql): Sql => sql`bitShiftLeft(${marks}, 1)`

/** What is left of them from a place on, which becomes place 0. */
export const since = (marks: Sql, place: Sql): Sql => sql`bitShiftRight(${marks}, ${place})`

export const placesOf = (marks: Sql): Sql => sql`bitPositionsToArray(${marks})`

export const hasPlace = (marks: Sql, place: number): Sql => sql`has(${placesOf(marks)}, ${uint(place)})`
