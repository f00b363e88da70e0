import { int, type Sql, sql, string } from '#engine/sql'
import type { Json } from '#events/event'
import { isWithin, type HalfOpenRange } from './internal/ranges'
import { textOf } from './internal/text-values'

/** A day or an instant in ISO 8601 or Python's format; the years are those that the engine supports. */
const form =
  '^((?:19|20|21|22)[0-9][0-9])-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])' +
  '(?:[T ]([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:[.]([0-9]{1,9}))?)?' +
  ' ?(?:Z|([+-])([01][0-9]|2[0-3]):?([0-5][0-9])?)?)?$'
const moment = new RegExp(form)

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Returns milliseconds since 1970; a text without a zone is in UTC. */
function momentOf(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHours, zoneMinutes] =
    moment.exec(text) ?? []
  if (!year) return undefined
  const start = Date.UTC(Number(year), Number(month) - 1, Number(day))
  // there is no 31st of February: it would be the 3rd of March
  if (new Date(start).getUTCDate() !== Number(day)) return undefined
  const minutes = count(hour) * 60 + count(minute)
  const aheadMinutes = Number(`${sign ?? '+'}1`) * (count(zoneHours) * 60 + count(zoneMinutes))
  const milliseconds = Number((fraction ?? '').padEnd(3, '0').slice(0, 3))
  return start + (minutes - aheadMinutes) * 60_000 + count(second) * 1000 + milliseconds
}

const count = (digits: string | undefined): number => Number(digits ?? 0)

/** Returns `momentOf` in SQL; null if the text is no instant. The engine's own parser would accept many other texts. */
const momentIn = (text: Sql): Sql => sql`toUnixTimestamp64Milli(
  parseDateTime64BestEffortOrNull(if(match(${text}, ${string(form)}), toString(${text}), ''), 3, 'UTC')
)`

/** "-7d" and "7d" both mean seven days ago. */
const ago = /^-?([0-9]{1,6})([hdwmy])$/
const relativeMost = 9999

/** Returns the instant that long before `now`; undefined if the text is not relative or the result is out of range. */
export function relativeMoment(text: string, now: Date): number | undefined {
  const [, digits, unit] = ago.exec(text) ?? []
  const amount = Number(digits)
  if (!unit || amount > relativeMost) return undefined
  const then = before(now, amount, unit)
  return then.getUTCFullYear() >= 1 ? then.getTime() : undefined
}

function before(now: Date, amount: number, unit: string): Date {
  const then = new Date(now)
  if (unit === 'h') then.setUTCHours(then.getUTCHours() - amount)
  else if (unit === 'd') then.setUTCDate(then.getUTCDate() - amount)
  else if (unit === 'w') then.setUTCDate(then.getUTCDate() - amount * 7)
  else return monthsBefore(now, unit === 'y' ? amount * 12 : amount)
  return then
}

/** Subtracts months; the day is limited to the last one of a shorter month. */
function monthsBefore(now: Date, months: number): Date {
  const then = new Date(now)
  then.setUTCMonth(then.getUTCMonth() - months)
  if (then.getUTCDate() !== now.getUTCDate()) then.setUTCDate(0)
  return then
}

/** Returns the instant of a condition's value; undefined if it is not a date. */
export function namedMoment(wanted: Json, now: Date): number | undefined {
  return typeof wanted === 'string' ? (relativeMoment(wanted, now) ?? momentOf(wanted)) : undefined
}

/** Returns the range of instants for a condition's value; undefined if it is not a date. */
export type MomentRangeFinder = (wanted: Json, now: Date) => HalfOpenRange<number> | undefined

const of =
  (range: (named: number, wanted: string) => HalfOpenRange<number>): MomentRangeFinder =>
  (wanted, now) => {
    const named = namedMoment(wanted, now)
    return named === undefined ? undefined : range(named, textOf(wanted))
  }

export const momentRanges = {
  before: of((named) => ({ until: named })),
  after: of((named) => ({ from: named + 1 })),
  on: of((named, wanted) => {
    const lengthMs = precisionMs(wanted)
    const from = Math.floor(named / lengthMs) * lengthMs
    return { from, until: from + lengthMs }
  }),
} as const satisfies Record<string, MomentRangeFinder>

/** Returns the precision of a date: a whole day or hour, or an exact instant. */
function precisionMs(wanted: string): number {
  if (ago.test(wanted)) return wanted.endsWith('h') ? hourMs : dayMs
  return wanted.length === '2026-11-21'.length ? dayMs : 1
}

const byTime = (one: number, other: number): number => one - other

export function isMomentWithin(actual: Json, range: HalfOpenRange<number>): boolean | 'unknown' {
  const at = typeof actual === 'string' ? momentOf(actual) : undefined
  return at === undefined ? 'unknown' : isWithin(at, range, byTime)
}

/** Returns null if the text is no instant. */
export function momentWithin(text: Sql, { from, until }: HalfOpenRange<number>): Sql {
  const at = momentIn(text)
  if (from === undefined) return until === undefined ? sql`isNotNull(${at})` : sql`${at} < ${int(until)}`
  return until === undefined
    ? sql`${at} >= ${int(from)}`
    : sql`${at} between ${int(from)} and ${int(until - 1)}`
}
