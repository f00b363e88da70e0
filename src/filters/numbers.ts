import { type Sql, sql, string } from '#engine/sql'
import type { Json } from '#events/event'

/** The number format of JSON: a version, a postcode with a leading zero or " 1" is no number. */
const form = '^-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?$'
const number = new RegExp(form)

/** Returns the number that a value is or that its text parses to. */
export function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && number.test(value) ? Number(value) : undefined
}

/**
 * Returns the number that a text parses to, or null. Used as a column's `number` where numbers are stored as text, so
 * that order operators compare numbers.
 */
export const numberIn = (text: Sql): Sql =>
  sql`toFloat64OrNull(if(match(${text}, ${string(form)}), toString(${text}), ''))`
