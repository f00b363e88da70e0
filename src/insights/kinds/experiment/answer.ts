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
  /** Units whose exposure named the version of the flag, where the query has versions. */
  versioned?: number
  /** The moments of each metric, in the order of the query. */
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
