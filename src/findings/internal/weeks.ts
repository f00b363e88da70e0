import { type Calendar, daysBefore, periodOn } from '#insights/calendar/period'
import { dayAt, type DayRange } from '#ui/dates'
import { days } from '#ui/format'

/** The number of weeks that the last one is held against. */
export const earlierWeeks = 8

/** The last whole week of a project and the weeks before it, in its time zone. */
export interface ComparedWeeks {
  from: Date
  /** The last whole week, as a period of queries. */
  last: string
  /** The weeks before it. */
  earlier: string
  /** All of them. */
  all: string
  /** One of them as a period, counted from the oldest. */
  week: (index: number) => string
  /** "16 – 22 Nov 2026" */
  words: string
  /** The same of one of them. */
  wordsOf: (index: number) => string
}

export function comparedWeeks(calendar: Calendar): ComparedWeeks {
  const { from, until } = periodOn(calendar, 'last-week')
  const day = (at: Date) => dayAt(at, calendar.timeZone)
  const range = (first: number, weeks: number): DayRange => ({
    from: day(daysBefore(from, (earlierWeeks - first) * 7, calendar)),
    to: day(daysBefore(until, (earlierWeeks + 1 - first - weeks) * 7 + 1, calendar)),
  })
  const last = range(earlierWeeks, 1)
  return {
    from,
    last: asPeriod(last),
    earlier: asPeriod(range(0, earlierWeeks)),
    all: asPeriod(range(0, earlierWeeks + 1)),
    week: (index) => asPeriod(range(index, 1)),
    words: days(last),
    wordsOf: (index) => days(range(index, 1)),
  }
}

const asPeriod = ({ from, to }: DayRange): string => `${from}..${to}`
