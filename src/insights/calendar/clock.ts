import type { ChartPoint } from '#ui/chart/chart'
import { bucketPoints, type AxisInterval } from '#ui/chart/time-axis'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  // Swedish writes dates the way ISO does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}

/** Returns the local time of an instant in a zone: `2026-11-21T13:00`. */
export const onClock = (instant: string, timeZone: string): string =>
  formatIn(timeZone).format(new Date(instant)).replace(' ', 'T')

/** Returns the buckets of an answer as points of the time axis. */
export const pointsOf = (starts: readonly string[], interval: AxisInterval, timeZone: string): ChartPoint[] =>
  bucketPoints(
    starts.map((start) => onClock(start, timeZone)),
    interval,
  )
