/** The answer of the kind `guard-metric`. */
export interface GuardMetricAnswer {
  got: GuardMetricSide
  others: GuardMetricSide
}

/** The persons with the same value, and statistics over one number for each of them. */
export interface GuardMetricSide {
  persons: number
  /** Null without persons. */
  mean: number | null
  /** The variance of the numbers, not of their mean; null below two persons. */
  variance: number | null
  p75: number | null
  /** The number of persons who have more than the query's `over`. */
  above: number
}
