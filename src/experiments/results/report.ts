import type { SampleRatio } from '#statistics/sample-ratio'
import type { WeightedSplit } from '../bandits/internal/weighted-split'
import type { z } from 'zod'
import type { MetricRole } from '../experiment'
import type { metricUnit } from './metric-unit'

/** Everything that is said about an experiment, computed from its sufficient statistics. */
export interface ExperimentReport {
  control: string
  variants: VariantReport[]
  phases: PhaseReport[]
  /** A bandit's split, in place of each phase's ratio; undefined where too few exposures name the flag's version. */
  weightedSplit: WeightedSplit | undefined
  excluded: ExclusionReport
  metrics: MetricReport[]
}

interface VariantReport {
  key: string
  units: number
  /** The share of all units that count. */
  share: number
}

export interface PhaseReport {
  startedAt: Date
  weights: Readonly<Record<string, number>>
  units: Readonly<Record<string, number>>
  /** Undefined where a condition fixes variants, so that no split is expected, and for a bandit. */
  ratio: SampleRatio | undefined
}

/** Units that were exposed and do not count. */
export interface ExclusionReport {
  severalVariants: { variants: string[]; units: number }[]
  /** The flag was off, or the unit was held out, or the value is no variant. */
  otherValues: number
  previews: number
}

export type MetricUnit = z.infer<typeof metricUnit>

export interface MetricReport extends MetricUnit {
  id: string
  name: string
  role: MetricRole
  goal: 'increase' | 'decrease'
  margin: number
  /** In the order of the variants. */
  values: MetricValue[]
  /** One for each variant but the control. */
  comparisons: MetricComparison[]
  /** The bounds of the values of one unit, where values are bounded. */
  limits: { low: number | null; high: number | null }[]
}

export interface MetricValue {
  variant: string
  units: number
  /** Null without units. */
  value: number | null
  /** For a funnel, the share of all exposed units at each step. */
  steps: number[]
}

export type MetricComparison = EstimatedComparison | MissingComparison

export interface EstimatedComparison {
  variant: string
  state: 'estimated'
  /** Undefined where the control’s value is 0, or cannot be told from it. */
  relative: EffectEstimate | undefined
  absolute: EffectEstimate
  adjusted: AdjustedEstimate | undefined
  reading: EffectReading
}

export interface MissingComparison {
  variant: string
  state: 'no-estimate'
  reason: NoEstimateReason
}

/** Why there is no number yet. */
export type NoEstimateReason = 'too-few-units' | 'too-few-conversions' | 'no-variance' | 'zero-denominator'

/** The estimates with behaviour before the exposure taken into account. */
interface AdjustedEstimate {
  relative: EffectEstimate | undefined
  absolute: EffectEstimate
  /** The share of the variance that the adjustment removes. */
  varianceReduction: number
}

export interface EffectEstimate {
  value: number
  standardError: number
  low: number
  high: number
  /** The p-value at this look. */
  p: number | undefined
  /** The p-value after the correction for several comparisons: below 1 minus the level where the interval excludes 0. */
  adjustedP: number | undefined
  /** The probability of an improvement, and the expected loss of the variant, for the Bayesian method. */
  chance: number | undefined
  loss: number | undefined
}

/** `better` and `worse` where the interval excludes 0; a guardrail is `safe` if it cannot be worse than its margin. */
export type EffectReading = 'better' | 'worse' | 'unclear' | 'safe' | 'violated'
