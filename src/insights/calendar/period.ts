import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { isNamedComparison, isNamedPeriod, type NamedPeriod } from './named-periods'

/** A half-open range of instants: `until` is excluded. */
export interface Period {
  from: Date
  until: Date
}

export const weekStarts = ['monday', 'sunday'] as const
export type WeekStart = (typeof weekStarts)[number]

/** The time zone, week start and current time, which determine the instants of a period. */
export interface Calendar {
  timeZone: string
  weekStart: WeekStart
  now: Date
}

const sayHow =
  'Say a period as "30d", "12w", "6mo", "24h", "30m", "today", "this-month" or "2026-01-01..2026-01-31".'

/** A period as text in queries and URLs. `periodOn` resolves it on a calendar. */
export const periodText = z
  .string({ error: sayHow })
  .max(80)
  .refine((text) => shapeOf(text) !== undefined, { error: sayHow })

type PeriodShape =
  | { kind: 'named'; name: NamedPeriod }
  | { kind: 'last'; amount: number; unit: keyof typeof units }
  | { kind: 'days'; from: Temporal.PlainDate; to: Temporal.PlainDate }
  | { kind: 'instants'; from: Temporal.Instant; until: Temporal.Instant }

const units = { m: 'minute', h: 'hour', d: 'day', w: 'week', mo: 'month', y: 'year' } as const
const isUnit = (text: string): text is keyof typeof units => Object.hasOwn(units, text)

function shapeOf(text: string): PeriodShape | undefined {
  if (isNamedPeriod(text) && !/^\d/.test(text)) return { kind: 'named', name: text }
  const [, amount = '', unit = ''] = /^(\d{1,5})(m|h|d|w|mo|y)$/.exec(text) ?? []
  if (isUnit(unit) && Number(amount) > 0) return { kind: 'last', amount: Number(amount), unit }
  return between(text)
}

function between(text: string): PeriodShape | undefined {
  const [first, second, ...more] = text.split('..')
  if (!first || !second || more.length > 0) return undefined
  try {
    if (!first.includes('T')) return inOrder(Temporal.PlainDate.from(first), Temporal.PlainDate.from(second))
    return momentsInOrder(Temporal.Instant.from(first), Temporal.Instant.from(second))
  } catch {
    return undefined
  }
}

const inOrder = (from: Temporal.PlainDate, to: Temporal.PlainDate): PeriodShape | undefined =>
  Temporal.PlainDate.compare(from, to) <= 0 && from.year >= firstYear && to.year <= lastYear
    ? { kind: 'days', from, to }
    : undefined

function momentsInOrder(from: Temporal.Instant, until: Temporal.Instant): PeriodShape | undefined {
  const year = (at: Temporal.Instant) => toDate(at).getUTCFullYear()
  return Temporal.Instant.compare(from, until) < 0 && year(from) >= firstYear && year(until) <= lastYear
    ? { kind: 'instants', from, until }
    : undefined
}

/** The first year of a period, which leaves room for the compared period before it. */
const firstYear = 1980
const lastYear = 2200
const firstInstant = new Date(`${firstYear}-01-01T00:00:00Z`)
const noEarlier = (at: Date): Date => (at < firstInstant ? firstInstant : at)

/** The engine's time begins in 1970; a day later it is 1970 in every zone. */
const firstOfEngine = new Date('1970-01-02T00:00:00Z')
const inEngine = (at: Date): Date => (at < firstOfEngine ? firstOfEngine : at)

/** Whether the period begins with the first event, which must be looked up. */
export const isOpen = (text: string): boolean => text === 'all'

/** Resolves a period to instants. `since` is the time of the first event, for `all`. */
export function periodOn(calendar: Calendar, text: string, since?: Date): Period {
  const shape = shapeOf(text)
  if (!shape) throw new RangeError(sayHow)
  if (shape.kind === 'named') return namedPeriod(calendar, shape.name, since)
  if (shape.kind === 'last') return lastUnits(calendar, shape.amount, shape.unit)
  if (shape.kind === 'instants') return { from: toDate(shape.from), until: toDate(shape.until) }
  return { from: startOf(shape.from, calendar), until: startOf(shape.to.add({ days: 1 }), calendar) }
}

function namedPeriod(calendar: Calendar, name: NamedPeriod, since: Date | undefined): Period {
  const today = dayOn(calendar, calendar.now)
  const [from, until] = namedDays(name, today, calendar.weekStart, since && dayOn(calendar, since))
  return { from: noEarlier(startOf(from, calendar)), until: startOf(until, calendar) }
}

type CalendarDays = [from: Temporal.PlainDate, until: Temporal.PlainDate]

function namedDays(
  name: NamedPeriod,
  today: Temporal.PlainDate,
  weekStart: WeekStart,
  since = today,
): CalendarDays {
  const tomorrow = today.add({ days: 1 })
  const [week, month] = [floored(today, 'week', weekStart), floored(today, 'month', weekStart)]
  const year = month.with({ month: 1 })
  const days: Partial<Record<NamedPeriod, CalendarDays>> = {
    today: [today, tomorrow],
    yesterday: [today.subtract({ days: 1 }), today],
    'this-week': [week, week.add({ weeks: 1 })],
    'last-week': [week.subtract({ weeks: 1 }), week],
    'this-month': [month, month.add({ months: 1 })],
    'last-month': [month.subtract({ months: 1 }), month],
    'this-year': [year, year.add({ years: 1 })],
    'last-year': [year.subtract({ years: 1 }), year],
  }
  return days[name] ?? [since, tomorrow]
}

/** The current unit counts as one: seven days are today and the six before. */
function lastUnits(calendar: Calendar, amount: number, unit: keyof typeof units): Period {
  if (unit === 'm' || unit === 'h') return lastHours(calendar, amount, units[unit])
  const current = floored(dayOn(calendar, calendar.now), units[unit], calendar.weekStart)
  const step = (count: number) => ({ [`${units[unit]}s`]: count })
  return {
    from: noEarlier(startOf(current.subtract(step(amount - 1)), calendar)),
    until: startOf(current.add(step(1)), calendar),
  }
}

function lastHours({ timeZone, now }: Calendar, amount: number, unit: 'minute' | 'hour'): Period {
  const current = zoned(now, timeZone).round({ smallestUnit: unit, roundingMode: 'floor' })
  const step = (count: number) => ({ [`${unit}s`]: count })
  return {
    from: toDate(current.subtract(step(amount - 1))),
    until: toDate(current.add(step(1))),
  }
}

export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

/** The beginning of each bucket, and the end of the last. The first may begin before the period; it counts only events
 * in the period. */
export interface Buckets {
  starts: Date[]
  end: Date
}

const dayMs = 86_400_000
const stepMs = { minute: 60_000, hour: 3_600_000 } as const

/** A chart with more buckets is unreadable. */
export const mostBuckets = 3000

/** Returns undefined if there are too many. */
export function bucketsOf(period: Period, interval: Interval, calendar: Calendar): Buckets | undefined {
  const starts: Date[] = []
  const next = stepsOf(interval, calendar)
  let start = bucketStart(period.from, interval, calendar)
  while (start < period.until) {
    if (starts.length === mostBuckets) return undefined
    starts.push(start)
    start = next(start)
  }
  return { starts, end: start }
}

export function bucketStart(at: Date, interval: Interval, calendar: Calendar): Date {
  if (interval === 'minute' || interval === 'hour')
    return toDate(zoned(at, calendar.timeZone).round({ smallestUnit: interval, roundingMode: 'floor' }))
  return startOf(floored(dayOn(calendar, at), interval, calendar.weekStart), calendar)
}

/** Returns a function that returns the start of the bucket after one. */
function stepsOf(interval: Interval, calendar: Calendar): (start: Date) => Date {
  if (interval === 'minute' || interval === 'hour') return shortStepsOf(interval, calendar)
  return (start) => startOf(dayOn(calendar, start).add({ [`${interval}s`]: 1 }), calendar)
}

/**
 * Asks the calendar about each day, and about each bucket only on a day on which the clock changes: about 3,000
 * buckets it would take the event loop for a tenth of a second.
 */
function shortStepsOf(interval: 'minute' | 'hour', calendar: Calendar): (start: Date) => Date {
  const offsetAt = (at: number): number => zoned(new Date(at), calendar.timeZone).offsetNanoseconds
  let checkedUntil = -Infinity
  let isSteady = false
  return (start) => {
    const at = start.getTime()
    if (at >= checkedUntil) {
      checkedUntil = at + dayMs
      isSteady = offsetAt(at) === offsetAt(checkedUntil)
    }
    return isSteady ? new Date(at + stepMs[interval]) : nextShort(start, interval, calendar)
  }
}

/** Buckets follow local time: with a clock change of half an hour, one hour is longer. */
function nextShort(start: Date, interval: 'minute' | 'hour', calendar: Calendar): Date {
  const step = stepMs[interval]
  const after = bucketStart(new Date(start.getTime() + step), interval, calendar)
  return after > start ? after : bucketStart(new Date(start.getTime() + 2 * step), interval, calendar)
}

/** Returns the default interval, which gives about twenty to ninety points. */
export function usualInterval({ from, until }: Period): Interval {
  const days = (until.getTime() - from.getTime()) / dayMs
  if (days <= 1 / 12) return 'minute'
  if (days <= 2.5) return 'hour'
  if (days <= 100) return 'day'
  return days <= 400 ? 'week' : 'month'
}

export const comparisonText = z
  .string()
  .max(80)
  .refine((text) => isNamedComparison(text) || shapeOf(text) !== undefined, {
    error:
      'Compare with "previous", "year", either with "-weekday", or a period such as "2026-01-01..2026-01-31".',
  })

/**
 * Returns the compared period. For an incomplete period, `comparedSoFar` limits it to the elapsed time: half a day is
 * not compared with a whole one.
 */
export function comparedWith(period: Period, text: string, calendar: Calendar): Period {
  if (text === 'year')
    return { from: aYearBefore(period.from, calendar), until: aYearBefore(period.until, calendar) }
  if (text === 'previous-weekday') return weeksBefore(period, weeksOf(period, calendar), calendar)
  if (text === 'year-weekday') return weeksBefore(period, weeksOfYear, calendar)
  if (text !== 'previous') return periodOn(calendar, text)
  return { from: inEngine(before(period, calendar)), until: period.from }
}

/** 52 weeks are a day or two less than a year, so that the nearest equal weekday is compared. */
const weeksOfYear = 52

/** Returns the number of weeks that hold the whole period, so that it does not overlap the compared one. */
function weeksOf({ from, until }: Period, calendar: Calendar): number {
  const isOfDays = isStartOfDay(from, calendar) && isStartOfDay(until, calendar)
  const days = isOfDays
    ? dayOn(calendar, from).until(dayOn(calendar, until), { largestUnit: 'days' }).days
    : (until.getTime() - from.getTime()) / dayMs
  return Math.max(1, Math.ceil(days / 7))
}

const weeksBefore = ({ from, until }: Period, weeks: number, calendar: Calendar): Period => ({
  from: inEngine(daysBefore(from, weeks * 7, calendar)),
  until: inEngine(daysBefore(until, weeks * 7, calendar)),
})

/**
 * Limits a compared period to the elapsed part of the main period, in days and local time: Tuesday noon is compared
 * with Tuesday noon.
 */
export function comparedSoFar(compared: Period, period: Period, calendar: Calendar): Period {
  const { now } = calendar
  if (now >= period.until || now < period.from) return compared
  const until = [period, compared].every(({ from }) => isStartOfDay(from, calendar))
    ? sameTimeOf(compared, period, calendar)
    : new Date(compared.from.getTime() + now.getTime() - period.from.getTime())
  return { from: compared.from, until: until < compared.until ? until : compared.until }
}

/** Returns the same day of the compared period at the same local time. */
function sameTimeOf(compared: Period, period: Period, calendar: Calendar): Date {
  const now = zoned(calendar.now, calendar.timeZone)
  const days = dayOn(calendar, period.from).until(now.toPlainDate(), { largestUnit: 'days' })
  return existingInstant(
    dayOn(calendar, compared.from).add(days).toPlainDateTime(now.toPlainTime()),
    calendar,
  )
}

/** Subtracts calendar days; the beginning of a day gives the beginning of another. */
export function daysBefore(at: Date, days: number, calendar: Calendar): Date {
  const day = dayOn(calendar, at)
  if (startOf(day, calendar).getTime() === at.getTime()) return startOf(day.subtract({ days }), calendar)
  return existingInstant(zoned(at, calendar.timeZone).toPlainDateTime().subtract({ days }), calendar)
}

/** Resolves a skipped local time to the instant of the clock change. */
function existingInstant(local: Temporal.PlainDateTime, { timeZone }: Calendar): Date {
  const found = local.toZonedDateTime(timeZone)
  if (found.toPlainDateTime().equals(local)) return toDate(found)
  return toDate(found.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') ?? found)
}

/** Returns the end of an instant's day; the beginning of a day is the end of the previous one. */
export function endOfDay(at: Date, calendar: Calendar): Date {
  const day = dayOn(calendar, at)
  const start = startOf(day, calendar)
  return start.getTime() === at.getTime() ? start : startOf(day.add({ days: 1 }), calendar)
}

/** Returns the hour of the week, from 0: 24 for each day since the week began. */
export function hourOfWeek(at: Date, { timeZone, weekStart }: Calendar): number {
  const { dayOfWeek, hour } = zoned(at, timeZone)
  return (weekStart === 'monday' ? dayOfWeek - 1 : dayOfWeek % 7) * 24 + hour
}

/** Returns the preceding period of as many calendar days, so that clock changes do not shift it. */
function before({ from, until }: Period, calendar: Calendar): Date {
  if (!isStartOfDay(from, calendar) || !isStartOfDay(until, calendar))
    return new Date(from.getTime() - (until.getTime() - from.getTime()))
  const [first, after] = [dayOn(calendar, from), dayOn(calendar, until)]
  const months = first.until(after, { largestUnit: 'months' })
  if (first.day === 1 && months.days === 0 && months.months > 0)
    return startOf(first.subtract(months), calendar)
  const start = first.subtract(first.until(after, { largestUnit: 'days' }))
  // A day that the calendar skips is replaced by the one before it.
  const isThere = startOf(start, calendar) < from
  return startOf(isThere ? start : start.subtract({ days: 1 }), calendar)
}

function aYearBefore(at: Date, calendar: Calendar): Date {
  const day = dayOn(calendar, at).subtract({ years: 1 })
  if (isStartOfDay(at, calendar)) return startOf(day, calendar)
  return existingInstant(day.toPlainDateTime(zoned(at, calendar.timeZone).toPlainTime()), calendar)
}

const isStartOfDay = (at: Date, calendar: Calendar): boolean =>
  startOf(dayOn(calendar, at), calendar).getTime() === at.getTime()

function floored(day: Temporal.PlainDate, unit: 'day' | 'week' | 'month' | 'year', weekStart: WeekStart) {
  if (unit === 'week')
    return day.subtract({ days: weekStart === 'monday' ? day.dayOfWeek - 1 : day.dayOfWeek % 7 })
  if (unit === 'month') return day.with({ day: 1 })
  return unit === 'year' ? day.with({ month: 1, day: 1 }) : day
}

const dayOn = ({ timeZone }: Calendar, at: Date) => zoned(at, timeZone).toPlainDate()

/** Returns the beginning of a day, which is at one where the clocks change at midnight. */
const startOf = (day: Temporal.PlainDate, { timeZone }: Calendar): Date =>
  toDate(day.toZonedDateTime({ timeZone }).startOfDay())

const zoned = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)

const toDate = ({ epochMilliseconds }: Temporal.ZonedDateTime | Temporal.Instant): Date =>
  new Date(epochMilliseconds)
