import { Temporal } from 'temporal-polyfill'
import type { Calendar, Interval, Period } from '#insights/calendar/period'
import { failedOutcome, type Outcome } from '#projects/problems'
import { shortened } from './dimensions'

/** A period as Tilth's queries state it, or a failure with a sentence. */
type PeriodText = Outcome<{ period: string }>

const done = (period: string): PeriodText => ({ done: true, period })
const days = (from: Temporal.PlainDate, to: Temporal.PlainDate): PeriodText =>
  done(`${from.toString()}..${to.toString()}`)

const dateOn = ({ now, timeZone }: Calendar): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()

const firstOfMonth = (day: Temporal.PlainDate) => day.with({ day: 1 })
const lastOfMonth = (day: Temporal.PlainDate) => day.with({ day: day.daysInMonth })

const namedRanges: Readonly<
  Record<string, ((today: Temporal.PlainDate, calendar: Calendar) => PeriodText) | undefined>
> = {
  all: () => done('all'),
  day: (today) => days(today, today),
  month: (today) => days(firstOfMonth(today), lastOfMonth(today)),
  year: (today) => days(today.with({ month: 1, day: 1 }), today.with({ month: 12, day: 31 })),
  '24h': (_, calendar) => done(`${hoursBefore(calendar, 24)}..${calendar.now.toISOString()}`),
}

/**
 * Converts the `date_range` of a query. Days and months before today's are counted without it, as Plausible does
 * (plausible/analytics lib/plausible/stats/query_builder.ex, 031b6f9).
 */
export function periodOfRange(range: unknown, calendar: Calendar): PeriodText {
  if (Array.isArray(range)) return periodBetween(range)
  const text = typeof range === 'string' ? range : ''
  const today = dateOn(calendar)
  const named = Object.hasOwn(namedRanges, text) ? namedRanges[text] : undefined
  return named?.(today, calendar) ?? lastUnits(text, today) ?? invalidRange(range)
}

const invalidRange = (range: unknown) =>
  failedOutcome(`Invalid date_range '${shortened(JSON.stringify(range) ?? '')}'.`)

function lastUnits(text: string, today: Temporal.PlainDate): PeriodText | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,4})(d|mo)$/.exec(text) ?? []
  const count = Number(amount)
  if (unit === 'd' && count > 0 && count <= 5000)
    return days(today.subtract({ days: count }), today.subtract({ days: 1 }))
  if (unit === 'mo' && count > 0 && count <= 100)
    return days(firstOfMonth(today.subtract({ months: count })), lastOfMonth(today.subtract({ months: 1 })))
  return undefined
}

const hoursBefore = ({ now }: Calendar, hours: number): string =>
  new Date(now.getTime() - hours * 3_600_000).toISOString()

function periodBetween(range: readonly unknown[]): PeriodText {
  const [from, to, ...more] = range
  const invalid = invalidRange(range)
  if (typeof from !== 'string' || typeof to !== 'string' || more.length > 0) return invalid
  const [first, last] = [dateIn(from), dateIn(to)]
  if (first && last) return inOrder(first, last)
  const [start, end] = [instantIn(from), instantIn(to)]
  if (!start || !end || Temporal.Instant.compare(start, end) > 0) return invalid
  // the last second counts, as in Plausible
  return done(`${start.toString()}..${end.add({ seconds: 1 }).toString()}`)
}

const inOrder = (first: Temporal.PlainDate, last: Temporal.PlainDate): PeriodText =>
  Temporal.PlainDate.compare(first, last) <= 0
    ? days(first, last)
    : failedOutcome('The first day of the date range is after the last.')

function dateIn(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return undefined
  }
}

function instantIn(text: string): Temporal.Instant | undefined {
  if (text.length > 40) return undefined
  try {
    return Temporal.Instant.from(text)
  } catch {
    return undefined
  }
}

/** The first day of a period of Plausible's first API, by its last day. */
const firstDays: Readonly<Record<string, ((day: Temporal.PlainDate) => Temporal.PlainDate) | undefined>> = {
  day: (day) => day,
  '7d': (day) => day.subtract({ days: 6 }),
  // the day and thirty before it (lib/plausible/stats/legacy/legacy_query_builder.ex, 022a786)
  '30d': (day) => day.subtract({ days: 30 }),
  month: firstOfMonth,
  '6mo': (day) => firstOfMonth(day).subtract({ months: 5 }),
  '12mo': (day) => firstOfMonth(day).subtract({ months: 11 }),
  year: (day) => day.with({ month: 1, day: 1 }),
}

const periodNames = [...Object.keys(firstDays), 'all', 'custom']

/** Converts `period` and `date` of Plausible's first API. */
export function periodOfParameters(
  { period = '30d', date }: { period?: string | undefined; date?: string | undefined },
  calendar: Calendar,
): PeriodText {
  if (period === 'custom') return customPeriod(date)
  if (period === 'all') return done('all')
  const firstOf = Object.hasOwn(firstDays, period) ? firstDays[period] : undefined
  if (!firstOf)
    return failedOutcome(
      `Error parsing \`period\` parameter: invalid period \`${shortened(period)}\`. There are: ${periodNames.join(', ')}.`,
    )
  const day = date === undefined || date === 'today' ? dateOn(calendar) : dateIn(date)
  if (!day) return failedOutcome('Error parsing `date` parameter: give it as 2026-01-31.')
  if (period === 'year') return days(firstOf(day), day.with({ month: 12, day: 31 }))
  return days(firstOf(day), /^month$|mo$/.test(period) ? lastOfMonth(day) : day)
}

function customPeriod(date: string | undefined): PeriodText {
  if (date === undefined) return failedOutcome('The `date` parameter is required when using a custom period.')
  const [from = '', to = '', ...more] = date.split(',').map((one) => one.trim())
  const [first, last] = [dateIn(from), dateIn(to)]
  if (!first || !last || more.length > 0)
    return failedOutcome('Invalid format for `date` parameter. Give two dates as 2026-01-01,2026-01-31.')
  return inOrder(first, last)
}

const zoned = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)

/** The first and the last second of a period, as Plausible's answers name them. */
export const rangeText = ({ from, until }: Period, timeZone: string): [string, string] => {
  const shown = (at: Date) => zoned(at, timeZone).toString({ timeZoneName: 'never', smallestUnit: 'second' })
  return [shown(from), shown(new Date(until.getTime() - 1000))]
}

const hourMs = 3_600_000

/** The interval that `time` stands for (lib/plausible/stats/query_optimizer.ex, 05e071b). */
export function usualIntervalOf({ from, until }: Period): Interval {
  const hours = (until.getTime() - from.getTime()) / hourMs
  if (hours <= 49) return 'hour'
  if (hours <= 41 * 24) return 'day'
  return hours <= 53 * 7 * 24 ? 'week' : 'month'
}

/** The name of a bucket in answers. A week that began before the period is named by the first day of the period. */
export function timeLabel(start: Date, interval: Interval, { from }: Period, timeZone: string): string {
  const local = zoned(interval === 'week' && start < from ? from : start, timeZone)
  const day = local.toPlainDate().toString()
  if (interval !== 'hour' && interval !== 'minute') return day
  return `${day} ${local.toPlainTime().toString({ smallestUnit: 'second' })}`
}
