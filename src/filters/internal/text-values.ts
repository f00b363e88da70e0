import { type Sql, sql } from '#engine/sql'
import type { Json } from '#events/event'

/** Returns a value as the engine stores it: as text without NUL and lone surrogates. */
export function textOf(value: Json): string {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  // only `is_not` passes null
  if (value === null) return 'none'
  return typeof value === 'object' ? textOf(JSON.stringify(value)) : String(value)
}

/**
 * Folds case by lowering, then raising: one alone does not match K (Kelvin) with k, and raising unifies the final Greek
 * ς. Memory and engine use the same Unicode tables, character by character.
 */
export const foldCase = (text: string): string => text.toLowerCase().toUpperCase()
export const foldCaseIn = (text: Sql): Sql => sql`upperUTF8(lowerUTF8(${text}))`

/** Compares by code points as the engine does; JavaScript's `<` compares UTF-16 units. */
export function compareByCodePoint(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  for (let i = 0; i < shorter; i++) {
    const difference = rank(one.charCodeAt(i)) - rank(other.charCodeAt(i))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Ranks surrogates after all characters of the basic plane. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
