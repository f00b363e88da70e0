/** The answer of the kind `experiment`. */
export interface ExperimentAnswer {
  cells: ExperimentCell[]
  /** The number of units with the same variants. `(preview)` is a preview, '' any other value of the flag. */
  exposed: { seen: string[]; units: number }[]
  /** The bounds of the values of each metric. */
  limits: { low: number | null; high: number | null }[][]
}

/** The units of one variant, phase, segment and day: that of the first exposure, or by the end of which they are known. */
export interface ExperimentCell {
  variant: string
  /** The index of the phase, from 0. */
  phase: number
  segment: string
  /** The day in the project's time zone. */
  day: string
  units: number
  /** Units whose exposure named the version of the flag, where the question has versions. */
  versioned?: number
  /** The moments of each metric, in the order of the question. */
  metrics: (MetricMoments | QuantileMoments)[]
}

/** Moments as in `#statistics/moments`: the metric's values, and after them those of the time before the exposure. */
export interface MetricMoments {
  n: number
  means: number[]
  deviations: number[][]
}

/** A quantile of the events of a cell, with its 95 % interval. */
export interface QuantileMoments {
  events: number
  /** The units that had any of the events. */
  units: number
  value: number
  low: number
  high: number
}

/** The answer of the kind `experiment-exposures`: what became of every unit that the flag was reported for. */
export interface ExperimentExposuresAnswer {
  cells: ExposureCell[]
  several: SeveralVariants[]
  /** Units that count and had the metric's event, but only before their exposure or outside of the metric's window. */
  onlyBefore: number
  onlyOutside: number
}

/** The dimensions by which units are grouped. `all` has one value, which is empty. */
export const exposureDimensions = [
  'all',
  'library',
  'browser',
  'os',
  'device',
  'country',
  'ids',
  'phase',
  'day',
] as const
export type ExposureDimension = (typeof exposureDimensions)[number]

/**
 * The state of a unit: it counts, or it saw several variants, did not meet the entry filter, was a robot, a preview,
 * got no variant (off or held out), or was served a variant without the event that exposes.
 */
export const unitStates = ['counted', 'several', 'entry', 'robot', 'preview', 'other', 'not-exposed'] as const
export type UnitState = (typeof unitStates)[number]

/** Why a unit saw several variants, as far as its events tell. */
export const severalVariantsCauses = ['override', 'merge', 'rules', 'device', 'unknown'] as const
export type SeveralVariantsCause = (typeof severalVariantsCauses)[number]

/** The units that saw the same variants, and why. */
export interface SeveralVariants {
  seen: string[]
  cause: SeveralVariantsCause
  units: number
}

/** The units of one value of a dimension with the same variant, phase and state. */
export interface ExposureCell {
  dimension: ExposureDimension
  value: string
  variant: string
  phase: number
  state: UnitState
  units: number
  /** Units with an event that code read the flag, and with an event that a browser displayed the variant. */
  served: number
  viewed: number
  /** Units with the metric's event in its window. */
  converted: number
}
