import type { Period } from '#insights/calendar/period'
import type { Conclusion, Experiment } from '../experiment'
import type { EffectReading, MetricReport, NoEstimateReason } from '../results/report'

/** The experiments that ended in a period, and what they say together. Guarded rollouts are not among them. */
export interface ExperimentProgramme {
  period: Period
  /** The metric whose effects these are; undefined if no experiment has one. */
  metric: ProgrammeMetric | undefined
  /** The metrics to choose from, by how many experiments have them. */
  metrics: ProgrammeMetric[]
  /** The number of experiments that ended. */
  ended: number
  outcomes: ProgrammeOutcomes
  /** Undefined if none ended. */
  winRate: WinRate | undefined
  /** Undefined if no variant with an effect on the metric was shipped. */
  shippedEffect: ShippedEffect | undefined
  /** Experiments whose effects are being computed. */
  pending: number
  /** Those that the search finds; the one that ended last comes first. */
  experiments: ProgrammeExperiment[]
}

/** The number of experiments by their outcome. Only rollouts are rolled back. */
export type ProgrammeOutcomes = Record<Exclude<Conclusion['outcome'], 'rolled-back'>, number>

/** A saved metric, or the same definition in several experiments. */
export interface ProgrammeMetric extends Pick<MetricReport, 'name' | 'goal' | 'shape'> {
  /** Names it in addresses and queries. */
  key: string
  experiments: number
}

/** The share of experiments whose end gave everyone another variant than the control, with its 95 % interval. */
export interface WinRate {
  wins: number
  of: number
  low: number
  high: number
}

/** An effect relative to the control, with an interval. */
export interface ProgrammeEstimate {
  value: number
  low: number
  high: number
}

/** The effects of the shipped variants on one metric, one on top of the other, with 95 % intervals. */
interface ShippedEffect {
  variants: number
  /** The shipped variants without a known effect on the metric. */
  unknown: number
  /** Too large where variants were shipped because they looked good. */
  measured: ProgrammeEstimate
  /** Drawn towards what all experiments have in common; undefined for fewer than three effects. */
  shrunk: ProgrammeEstimate | undefined
}

export interface ProgrammeExperiment extends Pick<
  Experiment,
  'id' | 'name' | 'flag' | 'kind' | 'hypothesis' | 'notes'
> {
  startedAt: Date
  endedAt: Date
  conclusion: Conclusion
  effect: ProgrammeEffect
}

/** The effect of the shipped variant, or of the one that looks best. */
export type ProgrammeEffect = KnownProgrammeEffect | { state: 'unknown'; reason: UnknownEffectReason }

export interface KnownProgrammeEffect {
  state: 'known'
  variant: string
  reading: EffectReading
  /** As on the experiment’s own page, with the level of its interval. */
  measured: ProgrammeEstimate
  level: number
  /** With a 95 % interval; undefined for fewer than three effects. */
  shrunk: ProgrammeEstimate | undefined
}

/**
 * Why there is no effect to show: the experiment does not have the metric, its flag is gone, its query is refused, it
 * is being computed, the variants did not get their shares of people, or the control’s value is 0 or hardly known; or
 * there is no estimate at all.
 */
export type UnknownEffectReason =
  | 'no-metric'
  | 'no-flag'
  | 'no-answer'
  | 'pending'
  | 'split'
  | 'no-relative'
  | NoEstimateReason
