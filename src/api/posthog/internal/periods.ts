import { failedOutcome, type Outcome } from '#projects/problems'

interface DateRange {
  date_from?: string | null | undefined
  date_to?: string | null | undefined
}

const dayMs = 24 * 3_600_000

/** A day of the calendar, at midnight in UTC. */
const today = (timeZone: string, now: Date): Date =>
  new Date(`${new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now)}T00:00:00Z`)

const dayText = (day: Date): string => day.toISOString().slice(0, 10)

const unitsBefore: Readonly<Record<string, ((day: Date, amount: number) => Date) | undefined>> = {
  d: (day, amount) => new Date(day.getTime() - amount * dayMs),
  w: (day, amount) => new Date(day.getTime() - amount * 7 * dayMs),
  m: (day, amount) => monthsBefore(day, amount),
  q: (day, amount) => monthsBefore(day, amount * 3),
  y: (day, amount) => monthsBefore(day, amount * 12),
}

/** The day is limited to the last one of a shorter month. */
function monthsBefore(day: Date, months: number): Date {
  const first = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return new Date(first.getTime() + (Math.min(day.getUTCDate(), last) - 1) * dayMs)
}

const startsOf: Readonly<Record<string, ((day: Date) => Date) | undefined>> = {
  dStart: (day) => day,
  mStart: (day) => new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1)),
  yStart: (day) => new Date(Date.UTC(day.getUTCFullYear(), 0, 1)),
}

/** The day that one end of PostHog's range names: -7d, mStart, -1dStart, 2026-01-31. */
function dayOf(text: string, now: Date): Date | undefined {
  const start = startsOf[text]
  if (start) return start(now)
  const [, amount = '', unit = ''] = /^-(\d{1,5})([dwmqy])(?:Start|End)?$/.exec(text) ?? []
  if (unit !== '') return unitsBefore[unit]?.(now, Number(amount))
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(`${text.slice(0, 10)}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at)
}

/** Converts PostHog's range of dates to a period. Without one it is the last week, as in PostHog. */
export function periodFrom(
  { date_from: from, date_to: to }: DateRange,
  timeZone: string,
  now: Date,
): Outcome<{ period: string }> {
  if (from === 'all') return { done: true, period: 'all' }
  const hours = /^-(\d{1,4})(h|M)$/.exec(from ?? '')
  if (hours && !to) return { done: true, period: `${hours[1]}${hours[2] === 'h' ? 'h' : 'm'}` }
  if ([from, to].some((text) => text?.includes('T'))) return instantsFrom(from, to, now)
  const day = today(timeZone, now)
  const first = dayOf(from ?? '-7d', day)
  const last = to ? dayOf(to, day) : day
  if (!first || !last)
    return failedOutcome('Give dates as -7d, mStart, all or 2026-01-31.', 'query.dateRange')
  return { done: true, period: `${dayText(first)}..${dayText(last)}` }
}

function instantsFrom(
  from: string | null | undefined,
  to: string | null | undefined,
  now: Date,
): Outcome<{ period: string }> {
  const [first, last] = [from, to ?? now.toISOString()].map((text) => Date.parse(text ?? ''))
  if (first === undefined || last === undefined || Number.isNaN(first) || Number.isNaN(last))
    return failedOutcome('Give both ends as 2026-01-31T10:00:00Z.', 'query.dateRange')
  return { done: true, period: `${new Date(first).toISOString()}..${new Date(last).toISOString()}` }
}
