import { int, type Sql, sql, string } from '../engine/sql'
import type { Json } from '../events/event'
import { isWithin, type Range } from './ranges'
import { textOf } from './texts'

/** A day or a moment as ISO 8601 writes it and as Python prints it; the years are those the engine can count. */
const form =
  '^((?:19|20|21|22)[0-9][0-9])-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])' +
  '(?:[T ]([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:[.]([0-9]{1,9}))?)?' +
  ' ?(?:Z|([+-])([01][0-9]|2[0-3]):?([0-5][0-9])?)?)?$'
const moment = new RegExp(form)

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** In milliseconds since 1970; without a zone it is in UTC. */
export function momentOf(text: string): number | undefined {
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

/** What `momentOf` says, in the engine; null for what is none. By itself the engine would guess at many another text. */
const momentIn = (text: Sql): Sql => sql`toUnixTimestamp64Milli(
  parseDateTime64BestEffortOrNull(if(match(${text}, ${string(form)}), toString(${text}), ''), 3, 'UTC')
)`

/** "-7d" and "7d" alike: seven days ago. */
const ago = /^-?([0-9]{1,6})([hdwmy])$/
const relativeMost = 9999

/** That long before `now`; undefined where it is no such thing, or before all calendars. */
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

/** A month before the 31st is the last day of a shorter month. */
function monthsBefore(now: Date, months: number): Date {
  const then = new Date(now)
  then.setUTCMonth(then.getUTCMonth() - months)
  if (then.getUTCDate() !== now.getUTCDate()) then.setUTCDate(0)
  return then
}

/** The moment a condition names: undefined where nobody understands it. */
export function namedMoment(wanted: Json, now: Date): number | undefined {
  return typeof wanted === 'string' ? (relativeMoment(wanted, now) ?? momentOf(wanted)) : undefined
}

/** The range of moments a condition asks for; undefined where nobody understands the date. */
export type MomentRange = (wanted: Json, now: Date) => Range<number> | undefined

const of =
  (range: (named: number, wanted: string) => Range<number>): MomentRange =>
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
} as const satisfies Record<string, MomentRange>

/** How much time a person means: a whole day or hour, or with a time of day that very moment. */
function precisionMs(wanted: string): number {
  if (ago.test(wanted)) return wanted.endsWith('h') ? hourMs : dayMs
  return wanted.length === '2026-11-21'.length ? dayMs : 1
}

const byTime = (one: number, other: number): number => one - other

export function isMomentWithin(actual: Json, range: Range<number>): boolean | 'unknown' {
  const at = typeof actual === 'string' ? momentOf(actual) : undefined
  return at === undefined ? 'unknown' : isWithin(at, range, byTime)
}

/** Null where the text is no moment. */
export function momentWithin(text: Sql, { from, until }: Range<number>): Sql {
  const at = momentIn(text)
  if (from === undefined) return until === undefined ? sql`isNotNull(${at})` : sql`${at} < ${int(until)}`
  return until === undefined
    ? sql`${at} >= ${int(from)}`
    : sql`${at} between ${int(from)} and ${int(until - 1)}`
}
