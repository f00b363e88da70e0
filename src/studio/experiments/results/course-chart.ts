import type { MetricCourse } from '#experiments/results/course'
import type { ChartAnnotation, Series } from '#ui/chart/chart'
import type { VariantColours } from '#studio/flags/variant-colour'

interface CourseChart {
  /** Every day of some variant, in order. */
  days: string[]
  series: Series[]
  isRelative: boolean
}

/** The days and the lines of a course. Relative and absolute estimates do not mix: the last day decides. */
export function courseChart(
  { variants }: Pick<MetricCourse, 'variants'>,
  colourOf: VariantColours,
): CourseChart {
  const days = [...new Set(variants.flatMap(({ points }) => points.map(({ day }) => day)))].toSorted()
  const estimated = variants.flatMap(({ points }) => points.filter(({ estimate }) => estimate))
  const isRelative = estimated.at(-1)?.isRelative ?? true
  const series = variants.map(({ variant, points }): Series => {
    const byDay = new Map(
      points.flatMap(({ day, estimate, isRelative: own }) =>
        estimate && own === isRelative ? [[day, estimate] as const] : [],
      ),
    )
    const estimates = days.map((day) => byDay.get(day))
    return {
      key: variant,
      label: variant,
      colour: colourOf(variant),
      values: estimates.map((one) => one?.value ?? null),
      bounds: estimates.map((one) => (one ? ([one.low, one.high] as const) : null)),
    }
  })
  return { days, series, isRelative }
}

/** Puts notes on the days of a chart, by the calendar of the project. */
export const notesByDay = (
  notes: readonly { at: Date | string; label: string }[],
  days: readonly string[],
  timeZone: string,
): ChartAnnotation[] =>
  notes.flatMap(({ at, label }) => {
    const index = days.indexOf(dayOf(new Date(at), timeZone))
    return index < 0 ? [] : [{ at: index, label }]
  })

const dayOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)
