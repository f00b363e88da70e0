import type { z } from 'zod'
import type { experimentReport, metricReport, metricUnit } from './report-schema'

/** The types of the schemas in `report-schema`, for code that goes to browsers without them. */
export type ExperimentReport = z.infer<typeof experimentReport>
export type MetricReport = z.infer<typeof metricReport>
export type MetricUnit = z.infer<typeof metricUnit>
export type PhaseReport = ExperimentReport['phases'][number]
export type ExclusionReport = ExperimentReport['excluded']
export type MetricValue = MetricReport['values'][number]
export type MetricComparison = MetricReport['comparisons'][number]
export type EstimatedComparison = Extract<MetricComparison, { state: 'estimated' }>
export type MissingComparison = Extract<MetricComparison, { state: 'no-estimate' }>
export type NoEstimateReason = MissingComparison['reason']
export type EffectEstimate = EstimatedComparison['absolute']
export type EffectReading = EstimatedComparison['reading']
