import { dateTime, type Sql, sql } from '#engine/sql'
import type { Events } from '#insights/compile/internal/events'
import { matchesEvent } from '#insights/compile/internal/event-matchers'
import { numeral } from './numerals'
import type { FunnelShape } from '../schema'

/**
 * Packs an event of a funnel into one whole number, so that sorting numbers sorts events by time, and at the same
 * instant by step. From the highest bits: milliseconds since the beginning; the index of the first step that it matches
 * (none comes last); a bit for each step that it matches. An event that matches no step has a bit for each step after
 * which it is excluded instead.
 */
export interface Packing {
  steps: number
  from: Date
}

const placeBits = 5
const noPlace = 2 ** placeBits - 1
const signedBits = 63

const shiftOf = ({ steps }: Packing): number => steps + placeBits

/** The longest time from the beginning to an event. With 20 steps it is eight years. */
export const longestMs = (steps: number): number => 2 ** (signedBits - placeBits - steps)

const shift = (packing: Packing): Sql => numeral(shiftOf(packing))

/** Milliseconds since the beginning. */
export const momentOf = (packed: Sql, packing: Packing): Sql =>
  sql`bitShiftRight(${packed}, ${shift(packing)})`

/** The first number of an instant: all earlier events are less. */
export const atInstant = (at: Date, packing: Packing): Sql =>
  numeral(BigInt(Math.max(0, at.getTime() - packing.from.getTime())) << BigInt(shiftOf(packing)))

export const isStep = (packed: Sql, step: number, { steps }: Packing, hasExclusions: boolean): Sql =>
  hasExclusions
    ? sql`(bitTest(${packed}, ${numeral(step)}) and not ${isNone(packed, steps)})`
    : sql`bitTest(${packed}, ${numeral(step)})`

export const isAnyStep = (packed: Sql, { steps }: Packing): Sql => sql`(not ${isNone(packed, steps)})`

/** Whether it is excluded after that step and before the next. */
export const isExcludedAfter = (packed: Sql, step: number, { steps }: Packing): Sql =>
  sql`(bitTest(${packed}, ${numeral(step)}) and ${isNone(packed, steps)})`

function isNone(packed: Sql, steps: number): Sql {
  const mask = numeral(BigInt(noPlace) << BigInt(steps))
  return sql`(bitAnd(${packed}, ${mask}) = ${mask})`
}

/** The bits of the steps that an event matches; call it before `rows`. */
export const stepBits = ({ steps }: Pick<FunnelShape, 'steps'>, events: Events): Sql =>
  bits(steps.map((step, i) => [matchesEvent(step, events), 1 << i]))

/** The bits of the steps after which an event is excluded; call it before `rows`. */
export const exclusionBits = ({ exclusions }: Pick<FunnelShape, 'exclusions'>, events: Events): Sql =>
  bits(exclusions.map((one) => [matchesEvent(one, events), placesBetween(one.from, one.to)]))

const placesBetween = (from: number, to: number): number => (1 << to) - (1 << from)

const bits = (conditions: [Sql, number][]): Sql =>
  conditions.length === 0
    ? sql`toInt64(0)`
    : conditions
        .map(([condition, value]) => sql`if(${condition}, ${numeral(value)}, 0)`)
        .reduce((all, one) => sql`bitOr(${all}, ${one})`)

/** Packs the columns `timestamp`, `bits` and `barred`. */
export function pack(packing: Packing): Sql {
  const { steps, from } = packing
  const place = sql`(bitCount(bitXor(bits, bits - 1)) - 1)`
  const rest = sql`if(bits != 0, bitOr(bitShiftLeft(toInt64(${place}), ${numeral(steps)}), bits), bitOr(${numeral(BigInt(noPlace) << BigInt(steps))}, barred))`
  const since = sql`toUnixTimestamp64Milli(timestamp) - toUnixTimestamp64Milli(${dateTime(from)})`
  return sql`bitOr(bitShiftLeft(${since}, ${shift(packing)}), ${rest})`
}
