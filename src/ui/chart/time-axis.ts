import type { ChartPoint } from './chart'
import { addDays, addMonths } from '../dates'
import { date } from '../format'

export type AxisInterval = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/**
 * Points for buckets of time. Buckets begin at times on the project's own clock, `2026-11-21T13:00`, so a label never
 * depends on where it is drawn.
 */
export const bucketPoints = (starts: readonly string[], interval: AxisInterval): ChartPoint[] =>
  starts.map((start, index) => ({
    label: labels[interval](start, starts[index - 1]),
    title: titles[interval](start),
  }))

type PointNaming = (start: string, before?: string) => string

const dayOf = (start: string): string => start.slice(0, 10)
const clockOf = (start: string): string => start.slice(11, 16) || '00:00'

const named = (start: string): [day: string, month: string, year: string] => {
  const [day = '', month = '', year = ''] = date(`${dayOf(start)}T00:00:00Z`, 'UTC').split(' ')
  return [day, month, year]
}

const dayLabel: PointNaming = (start) => named(start).slice(0, 2).join(' ')

/** The hour, and at the first bucket of a day the day. */
const clockLabel: PointNaming = (start, before) =>
  before !== undefined && dayOf(start) !== dayOf(before) ? dayLabel(start) : clockOf(start)

const monthLabel: PointNaming = (start, before) => {
  const [, month, year] = named(start)
  return before === undefined || start.slice(0, 4) !== before.slice(0, 4) ? `${month} ${year}` : month
}

const labels: Record<AxisInterval, PointNaming> = {
  minute: clockLabel,
  hour: clockLabel,
  day: dayLabel,
  week: dayLabel,
  month: monthLabel,
  year: (start) => start.slice(0, 4),
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const dayTitle: PointNaming = (start) =>
  `${weekdays[new Date(`${dayOf(start)}T00:00:00Z`).getUTCDay()]}, ${named(start).join(' ')}`

const titles: Record<AxisInterval, PointNaming> = {
  minute: (start) => `${dayTitle(start)}, ${clockOf(start)}`,
  hour: (start) => `${dayTitle(start)}, ${clockOf(start)} – ${hourAfter(start)}`,
  day: dayTitle,
  week: (start) => rangeTitle(start, addDays(dayOf(start), 6)),
  month: (start) => named(start).slice(1).join(' '),
  year: (start) => rangeTitle(start, addDays(addMonths(dayOf(start), 12), -1)),
}

/** On a clock; the hour that is left out or said twice twice a year is the engine's business. */
function hourAfter(start: string): string {
  const [hour = '0', minute = '00'] = clockOf(start).split(':')
  return `${String((Number(hour) + 1) % 24).padStart(2, '0')}:${minute}`
}

const rangeTitle = (from: string, to: string): string => `${named(from).join(' ')} – ${named(to).join(' ')}`
