import type { Interval } from '#insights/calendar/period'
import type { Outcome } from '#projects/problems'
import { timeZone as timeZoneOfProject } from '#projects/project'
import { refused, type UmamiCall } from './endpoint'

export const rangeParameters = ['startAt', 'endAt', 'startDate', 'endDate', 'timezone', 'tz', 'unit'] as const

/** A range of Umami's: both ends belong to it, in milliseconds. */
export interface UmamiRange {
  startAt: number
  endAt: number
}

/** Instants beyond these hold no events, and Tilth's periods end there. */
const earliest = Date.UTC(1980, 0, 1)
const latest = Date.UTC(2200, 0, 1)
const limited = (at: number): number => Math.min(Math.max(at, earliest), latest)

/** Formats a range as a period, whose end is excluded; undefined where it holds no instant of a possible event. */
function periodOf({ startAt, endAt }: UmamiRange): string | undefined {
  const [from, until] = [limited(startAt), limited(endAt + 1)]
  return from < until ? `${new Date(from).toISOString()}..${new Date(until).toISOString()}` : undefined
}

interface GivenRange {
  startAt?: unknown
  endAt?: unknown
  startDate?: unknown
  endDate?: unknown
}

/** Reads the range of a request: two numbers of milliseconds, or two dates. */
export function rangeFrom(given: GivenRange): Outcome<{ range: UmamiRange; period: string }> {
  const isInNumbers = isGiven(given.startAt) || isGiven(given.endAt)
  const [first, last] = isInNumbers ? [given.startAt, given.endAt] : [given.startDate, given.endDate]
  const [startField, endField] = isInNumbers ? ['startAt', 'endAt'] : ['startDate', 'endDate']
  const [startAt, endAt] = [instantIn(first), instantIn(last)]
  if (startAt === undefined)
    return refused('Give startAt in milliseconds since 1970, or startDate as 2026-01-31.', startField)
  if (endAt === undefined)
    return refused('Give endAt in milliseconds since 1970, or endDate as 2026-01-31.', endField)
  const period = periodOf({ startAt, endAt })
  if (startAt > endAt || period === undefined)
    return refused('The range holds nothing: endAt is after startAt, in milliseconds since 1970.', endField)
  return { done: true, range: { startAt, endAt }, period }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** JavaScript's largest instant. */
const mostMs = 8.64e15

function instantIn(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.abs(value) < mostMs ? Math.trunc(value) : undefined
  if (typeof value !== 'string') return undefined
  if (/^-?\d{1,15}(?:\.\d{1,9})?$/.test(value)) return Math.trunc(Number(value))
  const at = /^\d{4}-\d\d-\d\d/.test(value) && value.length < 40 ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

export const rangeOf = ({
  query,
}: Pick<UmamiCall, 'query'>): Outcome<{ range: UmamiRange; period: string }> =>
  rangeFrom(Object.fromEntries(query))

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The compared range: as many whole minutes before it, or the same days of the year before. */
export function comparedRange(
  { startAt, endAt }: UmamiRange,
  compare: string,
): Outcome<{ range: UmamiRange; period: string | undefined }> {
  if (compare !== 'prev' && compare !== 'yoy') return refused('Compare with prev or yoy.', 'compare')
  const back = Math.floor((endAt - startAt) / minuteMs) * minuteMs
  const range =
    compare === 'prev'
      ? { startAt: startAt - back, endAt: endAt - back }
      : { startAt: aYearBefore(startAt), endAt: aYearBefore(endAt) }
  // of a range without a minute, Umami's compared one is itself
  return { done: true, range, period: periodOf(range) }
}

/** 29 February becomes 28 February. */
function aYearBefore(at: number): number {
  const day = new Date(at)
  const before = new Date(at)
  before.setUTCFullYear(day.getUTCFullYear() - 1)
  return before.getTime() - (before.getUTCMonth() === day.getUTCMonth() ? 0 : dayMs)
}

const units = ['minute', 'hour', 'day', 'month', 'year'] as const
type UmamiUnit = (typeof units)[number]

/** The shortest unit that Umami answers a range in (src/lib/date.ts, c0ea3ae). */
function shortestUnit({ startAt, endAt }: UmamiRange): UmamiUnit {
  const length = endAt - startAt
  const months = monthOf(endAt) - monthOf(startAt)
  if (Math.floor(length / minuteMs) <= 60) return 'minute'
  if (Math.floor(length / dayMs) <= 30) return 'hour'
  if (months <= 7) return 'day'
  return months <= 24 ? 'month' : 'year'
}

function monthOf(at: number): number {
  const day = new Date(at)
  return day.getUTCFullYear() * 12 + day.getUTCMonth()
}

/** Returns the intervals of a chart. A unit that is too short for the range becomes the shortest one, as in Umami. */
export function intervalOf(unit: string | null, range: UmamiRange): Outcome<{ interval: Interval }> {
  if (unit !== null && !units.some((name) => name === unit))
    return refused(`Choose a unit of ${units.join(', ')}.`, 'unit')
  if (unit === 'year') return refused('Tilth has no intervals of a year. Ask for unit=month.', 'unit')
  const shortest = shortestUnit(range)
  if (shortest === 'year') return { done: true, interval: 'month' }
  const given = units.findIndex((name) => name === unit)
  const at = given < units.indexOf(shortest) ? shortest : units[given]
  return { done: true, interval: at === undefined || at === 'year' ? 'month' : at }
}

/** Reads the time zone; without one, it is UTC, as in Umami. */
export function timeZoneIn(given: unknown): Outcome<{ timeZone: string; isNamed: boolean }> {
  if (!isGiven(given)) return { done: true, timeZone: 'UTC', isNamed: false }
  const named = timeZoneOfProject.safeParse(given)
  return named.success
    ? { done: true, timeZone: named.data, isNamed: true }
    : refused('Name a time zone such as "Europe/Berlin" or "UTC".', 'timezone')
}

/** Formats the beginning of an interval: in local time or in UTC, as Umami does. */
export function intervalText(
  start: string,
  { timeZone, isLocal }: { timeZone: string; isLocal: boolean },
): string {
  const at = new Date(start)
  if (!isLocal) return at.toISOString().replace(/\.\d+Z$/, 'Z')
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return local.format(at)
}
