import { isNamedComparison, type namedPeriods } from '#insights/calendar/named-periods'
import type { Interval } from '#insights/calendar/period'
import { comparisonWords, periodWords } from '#insights/calendar/period-words'

/** The offered periods; any other days are typed. */
export const periodGroups = [
  ['today', 'yesterday', '24h'],
  ['7d', '28d', '30d', '90d', '12mo'],
  ['this-week', 'last-week', 'this-month', 'last-month', 'this-year', 'last-year'],
  ['all'],
] as const satisfies (keyof typeof namedPeriods)[][]

export const periodLabel = (period: string): string => periodWords(period)

export const comparisonLabel = (compare: string | undefined): string =>
  compare === undefined ? 'No comparison' : comparisonWords(compare)

const byWeekday = '-weekday'

/** Whether Mondays are compared with Mondays. */
export const comparesWeekdays = (compare: string | undefined): boolean =>
  compare?.endsWith(byWeekday) === true

/** Returns the same comparison with equal weekdays, or back with equal dates; undefined for days that were chosen. */
export function withWeekdays(compare: string | undefined, wanted: boolean): string | undefined {
  const base = compare?.replace(byWeekday, '')
  if (base === undefined || !isNamedComparison(base)) return undefined
  return wanted ? `${base}${byWeekday}` : base
}

const dayMs = 86_400_000

/** The length of a period in days for which each interval gives a readable number of points. */
const readableDays: Record<Interval, { from: number; until: number }> = {
  minute: { from: 0, until: 0.3 },
  hour: { from: 0.1, until: 32 },
  day: { from: 1.5, until: 800 },
  week: { from: 13, until: 4000 },
  month: { from: 58, until: Infinity },
}

/** Returns the intervals to choose from, the shortest first. */
export function intervalsFor({ from, until }: { from: string; until: string }): Interval[] {
  const days = (Date.parse(until) - Date.parse(from)) / dayMs
  const all: readonly Interval[] = ['minute', 'hour', 'day', 'week', 'month']
  return all.filter((interval) => readableDays[interval].from <= days && days <= readableDays[interval].until)
}
