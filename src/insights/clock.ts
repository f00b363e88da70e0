import type { Point } from '../ui/chart'
import { bucketPoints, type Interval } from '../ui/time-axis'

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

/** What the clock of a zone shows at an instant: `2026-11-21T13:00`. */
export const onClock = (instant: string, timeZone: string): string =>
  formatIn(timeZone).format(new Date(instant)).replace(' ', 'T')

/** The buckets of an answer, as places along the axis. */
export const pointsOf = (starts: readonly string[], interval: Interval, timeZone: string): Point[] =>
  bucketPoints(
    starts.map((start) => onClock(start, timeZone)),
    interval,
  )
