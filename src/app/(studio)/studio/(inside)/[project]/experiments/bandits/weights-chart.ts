import type { WeightChange } from '#experiments/bandits/progress'
import type { ChartPoint, Series } from '#ui/chart/chart'
import { bucketPoints } from '#ui/chart/time-axis'

/** The weights of each variant, one point for each change and one for now. `changes` begin with the latest. */
export function weightsChart(
  changes: readonly WeightChange[],
  variants: readonly string[],
  { until, timeZone }: { until: Date; timeZone: string },
): { points: ChartPoint[]; series: Series[] } {
  const steps = changes.toReversed()
  const last = steps.at(-1)
  const drawn = last && last.at < until ? [...steps, { ...last, at: until }] : steps
  return {
    points: bucketPoints(
      drawn.map(({ at }) => localTime(at, timeZone)),
      'minute',
    ),
    series: variants.map((variant) => ({
      key: variant,
      label: variant,
      values: drawn.map(({ weights }) => (weights[variant] ?? 0) / 100),
    })),
  }
}

/** As "2026-03-02T10:00:00", by the calendar of the project. */
const localTime = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(at)
    .replace(' ', 'T')
