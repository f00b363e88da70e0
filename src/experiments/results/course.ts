import type { z } from 'zod'
import type { ExperimentAnswer } from '#insights/kinds/experiment/answer'
import { ruleOf } from './decision'
import { analyse } from './internal/analyse'
import type { MeasuredExperiment } from './internal/measured-experiment'
import { shownEstimate } from './internal/readings'
import type { MetricComparison, MetricReport } from './report'
import type { metricCourse } from './report-schema'

export type MetricCourse = z.infer<typeof metricCourse>
export type CoursePoint = MetricCourse['variants'][number]['points'][number]

/** Computes the course of each metric from an answer whose cells are those of each day. */
export function courseOf(measured: MeasuredExperiment, answer: ExperimentAnswer): MetricCourse[] {
  const { experiment, variants } = measured
  // each day is a look of its own
  const look = ruleOf(experiment.analysis).rule === 'any-time' ? 'any' : 'early'
  const days = [...Map.groupBy(answer.cells, ({ day }) => day)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, cells]) => ({
      day,
      metrics: analyse(measured, { ...answer, cells }, look).metrics,
    }))
  const treatments = variants.filter((variant) => variant !== experiment.control)
  const none = analyse(measured, { ...answer, cells: [] }).metrics
  return none.map(({ id, name, role, goal, shape, currency }, m) => ({
    id,
    name,
    role,
    goal,
    shape,
    currency,
    variants: treatments.map((variant, i) => ({
      variant,
      points: days.flatMap(({ day, metrics }) => {
        const metric = metrics[m]
        const comparison = metric?.comparisons[i]
        return metric && comparison ? [pointOf(day, metric, comparison, i + 1)] : []
      }),
    })),
  }))
}

function pointOf(
  day: string,
  { values }: MetricReport,
  comparison: MetricComparison,
  index: number,
): CoursePoint {
  const [control, own] = [values[0], values[index]]
  const point = {
    day,
    units: { control: control?.units ?? 0, variant: own?.units ?? 0 },
    values: { control: control?.value ?? null, variant: own?.value ?? null },
  }
  if (comparison.state === 'no-estimate')
    return { ...point, estimate: undefined, isRelative: false, reason: comparison.reason }
  const { relative } = comparison.adjusted ?? comparison
  return {
    ...point,
    estimate: shownEstimate(comparison),
    isRelative: relative !== undefined,
    reason: undefined,
  }
}
