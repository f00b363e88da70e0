import type { Amount, HeatCalendarProps } from '../chart'
import { addDays, weekday, type Day } from '#ui/dates'
import { day as dayInFull } from '#ui/format'

/** A square of the calendar. */
export type GridSquare = { row: number; column: number; title: string; value: Amount; href?: string }

/** Squares in rows and columns, with what stands beside and above them. */
export type CalendarGrid = {
  squares: GridSquare[]
  rows: string[]
  columns: { at: number; label: string }[]
  width: number
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

export const gridOf = (calendar: HeatCalendarProps): CalendarGrid =>
  'week' in calendar ? weekGrid(calendar.week, calendar.weekHrefs) : dayGrid(calendar.days)

type CalendarHrefs = Extract<HeatCalendarProps, { week: unknown }>['weekHrefs']

function weekGrid(week: readonly (readonly Amount[])[], hrefs: CalendarHrefs = []): CalendarGrid {
  const squares = weekdays.flatMap((name, row) =>
    Array.from({ length: 24 }, (_, column) => ({
      row,
      column,
      title: `${name}, ${clock(column)} – ${clock(column + 1)}`,
      value: week[row]?.[column] ?? null,
      href: hrefs[row]?.[column],
    })),
  )
  const columns = [0, 6, 12, 18].map((at) => ({ at, label: clock(at) }))
  return { squares, rows: weekdays, columns, width: 24 }
}

const clock = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`

function dayGrid(days: Extract<HeatCalendarProps, { days: unknown }>['days']): CalendarGrid {
  const [first] = days.map(({ day }) => day).toSorted()
  if (!first) return { squares: [], rows: weekdays, columns: [], width: 0 }
  const start = addDays(first, -weekday(first))
  const squares = days.map(({ day, ...square }) => ({
    ...square,
    row: weekday(day),
    column: weeksBetween(start, day),
    title: `${weekdays[weekday(day)]}, ${dayInFull(day)}`,
  }))
  const width = Math.max(...squares.map(({ column }) => column)) + 1
  return { squares, rows: weekdays, columns: monthsOf(start, width), width }
}

const msPerWeek = 7 * 86_400_000

const weeksBetween = (start: Day, day: Day): number =>
  Math.floor((Date.parse(day) - Date.parse(start)) / msPerWeek)

/** The name of a month, above the week it begins in. */
function monthsOf(start: Day, weeks: number): CalendarGrid['columns'] {
  let last = ''
  return Array.from({ length: weeks }, (_, week) => addDays(start, week * 7 + 6))
    .flatMap((sunday, at) => {
      const label = dayInFull(sunday).split(' ')[1] ?? ''
      if (label === last) return []
      last = label
      return [{ at, label }]
    })
    .filter(({ at }, index, all) => (all[index + 1]?.at ?? Infinity) - at > 2)
}
