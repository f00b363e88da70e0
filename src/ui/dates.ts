/** A day on the calendar, `2026-11-21`. It has no time and no zone, so days compare as text. */
export type Day = string

/** Days from and to, both included, as people say them. */
export type DayRange = { from: Day; to: Day }

const msPerDay = 86_400_000

const toTime = (day: Day) => Date.parse(`${day}T00:00:00Z`)
const fromTime = (time: number): Day => new Date(time).toISOString().slice(0, 10)

/** The day of a moment, in a time zone. */
export function dayAt(moment: Date, timeZone: string): Day {
  // Swedish writes dates the way ISO does.
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(moment)
}

/** Whether a text is a day that exists: not the 30th of February. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(toTime(text)) && fromTime(toTime(text)) === text

export const addDays = (day: Day, days: number): Day => fromTime(toTime(day) + days * msPerDay)

/** The same day of another month, or its last day where it has no such day. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = daysInMonth(first.toISOString().slice(0, 10))
  first.setUTCDate(Math.min(date, last))
  return fromTime(first.getTime())
}

export const startOfMonth = (day: Day): Day => `${day.slice(0, 7)}-01`

function daysInMonth(day: Day): number {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** 0 for Monday to 6 for Sunday. */
export const weekday = (day: Day): number => (new Date(toTime(day)).getUTCDay() + 6) % 7

/** The number of days from `from` to `to`, both counted. */
export const countDays = ({ from, to }: DayRange): number =>
  Math.round((toTime(to) - toTime(from)) / msPerDay) + 1

/** Two days in the order of time. */
export const inOrder = (one: Day, other: Day): DayRange =>
  one <= other ? { from: one, to: other } : { from: other, to: one }
