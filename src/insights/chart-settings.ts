import type { AxisChart, ChartAnnotation, ChartColour, ChartSize } from '#ui/chart/chart'
import type { Unit } from '#ui/format'
import type { Approximation } from './approximation'
import type { AnswerColumn } from './kind'
import type { BounceRule } from './bounce-rule'
import type { WeekStart } from './calendar/period'

/** The project's settings that a chart shows. */
export interface ChartSettings {
  timeZone: string
  currency: string
  weekStart: WeekStart
  bounceRule: BounceRule
  /** The creation of the project: a chart leaves out what is empty before it. */
  since?: Date
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
  /** Present if the answer counts persons approximately: the margin stands beside their numbers. */
  approximate?: Approximation | undefined
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

/** A chart begins at the first event of a project that is younger than the period, not with the empty days before. */
export function fromFirstEvent<
  Chart extends Pick<AxisChart, 'points' | 'series' | 'comparison' | 'annotations'>,
>(chart: Chart, starts: readonly string[], since: Date | undefined): Chart {
  const { points, series, comparison, annotations } = chart
  const isEmpty = (index: number) =>
    series.every(({ values, compared }) => !values[index] && !compared?.[index])
  const first = starts.findIndex((_, index) => !isBefore(starts[index + 1], since) || !isEmpty(index))
  // a point alone is no course
  const left = Math.min(first, starts.length - 2)
  if (left <= 0) return chart
  return {
    ...chart,
    points: points.slice(left),
    series: series.map((one) => ({
      ...one,
      values: one.values.slice(left),
      ...(one.compared && { compared: one.compared.slice(left) }),
      ...(one.bounds && { bounds: one.bounds.slice(left) }),
      ...(one.hrefs && { hrefs: one.hrefs.slice(left) }),
    })),
    ...(comparison && { comparison: { ...comparison, points: comparison.points?.slice(left) } }),
    annotations: annotations?.flatMap((note) => (note.at < left ? [] : [{ ...note, at: note.at - left }])),
  }
}

const isBefore = (end: string | undefined, since: Date | undefined): boolean =>
  end !== undefined && since !== undefined && Date.parse(end) <= since.getTime()

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
