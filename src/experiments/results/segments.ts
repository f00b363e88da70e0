import { z } from 'zod'
import type { ExperimentAnswer } from '#insights/kinds/experiment/answer'
import { failedOutcome, type FailedOutcome, type Outcome } from '#projects/problems'
import { analyse } from './internal/analyse'
import { exploredMetrics } from './exploration'
import type { MeasuredExperiment } from './internal/measured-experiment'
import type { segmentReportSchema } from './report-schema'

/** A property that is known at the exposure or before. */
export const segmentInput = z.strictObject({
  type: z.enum(['event', 'session', 'person']).default('event').meta({
    description: 'Of the event that exposes, of its session, or of the person',
  }),
  key: z.string().min(1, 'Name a property.').max(200),
})
export type SegmentProperty = z.infer<typeof segmentInput>

export type SegmentReport = z.infer<typeof segmentReportSchema>

/** Session properties that are only known once the session is over. */
const knownAfterwards = new Set(['$exit_pathname', '$session_duration', '$pageview_count', '$is_bounce'])

/** Why a property cannot divide the units, or undefined if it can. */
export function segmentProblem({ type, key }: SegmentProperty): FailedOutcome | undefined {
  if (type === 'session' && knownAfterwards.has(key))
    return failedOutcome(
      `"${key}" is known only once the session is over, and the variant may have changed it: its segments would compare different people. Choose a property that is known at the exposure.`,
      'key',
    )
  if (type === 'person' && !key.startsWith('$initial_'))
    return failedOutcome(
      `Of the person property "${key}" only the latest value is known, which may have been set after the exposure. Send it with the event that exposes, or decompose a metric by it.`,
      'key',
    )
  return undefined
}

const mostSegments = 20

/** Computes the report of each segment from an answer whose cells have segments. */
export function segmentReport(
  measured: MeasuredExperiment,
  property: SegmentProperty,
  answer: ExperimentAnswer,
): Outcome<{ report: SegmentReport }> {
  const byValue = [...Map.groupBy(answer.cells, ({ segment }) => segment)]
    .map(([value, cells]) => ({ value, cells, units: cells.reduce((sum, { units }) => sum + units, 0) }))
    .toSorted((one, other) => other.units - one.units || (one.value < other.value ? -1 : 1))
  if (byValue.length === 1 && byValue[0]?.value === '')
    return failedOutcome(
      `No exposure has the property "${property.key}". If only later events have it, it is known after the exposure, and its segments would compare different people.`,
      'key',
    )
  const shown = byValue.slice(0, mostSegments)
  const reports = shown.map(({ cells }) => analyse(measured, { ...answer, cells }))
  const metrics = exploredMetrics(
    reports.map((report) => report.metrics),
    measured.experiment.analysis,
  )
  return {
    done: true,
    report: {
      property,
      isExploration: true,
      segments: shown.map(({ value }, i) => ({
        value,
        variants: (reports[i]?.variants ?? []).map(({ key, units }) => ({ variant: key, units })),
        metrics: metrics[i] ?? [],
      })),
      unitsInOthers: byValue.slice(mostSegments).reduce((sum, { units }) => sum + units, 0),
    },
  }
}
