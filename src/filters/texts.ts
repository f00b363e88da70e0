import { type Sql, sql } from '../engine/sql'
import type { Json } from '../events/event'

/** As it is kept in the engine, where everything is text: it has no NUL and no half characters. */
export function textOf(value: Json): string {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  // asked of by `is_not` alone
  if (value === null) return 'none'
  return typeof value === 'object' ? textOf(JSON.stringify(value)) : String(value)
}

/**
 * Without differences of case. Lowered first, then raised: one alone leaves K (Kelvin) apart from k, and raising forgets
 * that a Greek ς ends its word. Both sides do it by the same tables of Unicode, character for character.
 */
export const folded = (text: string): string => text.toLowerCase().toUpperCase()
export const foldedIn = (text: Sql): Sql => sql`upperUTF8(lowerUTF8(${text}))`

/** Below zero, zero or above: by code points as the engine does, where JavaScript's `<` goes by halves of them. */
export function inOrder(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  for (let i = 0; i < shorter; i++) {
    const difference = rank(one.charCodeAt(i)) - rank(other.charCodeAt(i))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Halves of characters beyond the first plane come after everything in it. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
