import { knownAmounts } from './axis'
import type { Amount } from '../chart'

/** Five strengths of one colour: more are not told apart. What carries `data-heat` is drawn so (charts.css). */
export const strengths = [1, 2, 3, 4, 5] as const

/**
 * The strength of an amount's colour, 0 for nothing. The steps grow with the square, because a few cells have most of
 * the total and the rest should not look empty.
 */
export function strengthOf(amount: Amount, largest: number): number {
  if (amount === null || !Number.isFinite(amount) || amount <= 0 || largest <= 0) return 0
  return Math.max(1, Math.ceil(Math.sqrt(amount / largest) * strengths.length - 1e-9))
}

/** The largest amount that is drawn so. Where it counts, in whole numbers. */
export function upTo(strength: number, largest: number): number {
  const end = (strength / strengths.length) ** 2 * largest
  return largest > 25 ? Math.floor(end) : end
}

export const largestOf = (amounts: readonly Amount[]): number => Math.max(0, ...knownAmounts(amounts))
