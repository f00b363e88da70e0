import { type Sql, sql, string } from '../engine/sql'
import type { Json } from '../events/event'

/** As JSON writes them, so that a version, a postcode with a leading zero or " 1" is none. */
const form = '^-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?$'
const number = new RegExp(form)

/** The number a value is or reads as. */
export function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && number.test(value) ? Number(value) : undefined
}

/**
 * The number a text reads as, or null. For a `Column`'s `number`, where what is kept as text may have been sent as a
 * number: then more and less mean what people expect of numbers.
 */
export const numberIn = (text: Sql): Sql =>
  sql`toFloat64OrNull(if(match(${text}, ${string(form)}), toString(${text}), ''))`
