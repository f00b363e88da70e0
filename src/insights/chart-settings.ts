import type { ChartAnnotation, ChartColour, ChartSize } from '#ui/chart/chart'
import type { Unit } from '#ui/format'
import type { AnswerColumn } from './kind'
import type { BounceRule } from './bounce-rule'
import type { WeekStart } from './calendar/period'

/** The project's settings that a chart shows. */
export interface ChartSettings {
  timeZone: string
  currency: string
  weekStart: WeekStart
  bounceRule: BounceRule
}

/** An annotation on the time axis. */
export interface ChartNote {
  at: string | Date
  label: string
  href?: string
}

/** The props of a kind's chart: an answer, its query, and the links of its numbers. */
export interface ChartProps<Query, Answer> {
  query: Query
  answer: Answer
  settings: ChartSettings
  /** Returns the URL of the persons behind a number, by its point. Without it, numbers are not links. */
  drill?: (point: object) => string | undefined
  notes?: readonly ChartNote[]
  size?: ChartSize
  /** The colours of lines by their breakdown value, where values have some of their own. */
  colourOf?: (value: string) => ChartColour
  /** The name of the insight or card. */
  title?: string
}

/** Returns the unit of a column. */
export function unitOf(as: AnswerColumn['as'], { currency }: Pick<ChartSettings, 'currency'>): Unit {
  if (as === 'money') return { currency }
  if (as === 'percent') return 'percent'
  return as === 'duration' ? 'seconds' : 'number'
}

/** Assigns annotations to buckets; those outside all buckets are left out. */
export function annotationsOn(
  starts: readonly string[],
  end: string,
  notes: readonly ChartNote[] = [],
): ChartAnnotation[] {
  const times = starts.map((start) => Date.parse(start))
  return notes.flatMap(({ at, label, href }) => {
    const time = new Date(at).getTime()
    const place = times.findLastIndex((start) => start <= time)
    return place < 0 || time >= Date.parse(end) ? [] : [{ at: place, label, href }]
  })
}
