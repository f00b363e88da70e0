import type { WeightChange } from '#experiments/bandits/progress'
import type { ChartPoint, Series } from '#ui/chart/chart'
import { bucketPoints } from '#ui/chart/time-axis'

/** The number of stretches of the same length: a change is drawn at most a hundredth of the width after its time. */
const stretches = 100

/**
 * The weights of each variant at evenly spaced times, from the first change until now, so that a stretch of the chart
 * is as wide as it was long. `changes` begin with the latest.
 */
export function weightsChart(
  changes: readonly WeightChange[],
  variants: readonly string[],
  { until, timeZone }: { until: Date; timeZone: string },
): { points: ChartPoint[]; series: Series[] } {
  const from = changes.at(-1)?.at.getTime() ?? until.getTime()
  const length = Math.max(until.getTime() - from, 0)
  const times = Array.from({ length: stretches + 1 }, (_, i) => new Date(from + (i * length) / stretches))
  const inForce = times.map((time) => changes.find(({ at }) => at <= time))
  return {
    points: bucketPoints(
      times.map((time) => localTime(time, timeZone)),
      'minute',
    ),
    series: variants.map((variant) => ({
      key: variant,
      label: variant,
      values: inForce.map((change) => (change ? (change.weights[variant] ?? 0) / 100 : null)),
    })),
  }
}

/** As "2026-03-02T10:00:00", by the calendar of the project. */
const localTime = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(at)
    .replace(' ', 'T')
