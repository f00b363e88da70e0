/** The event that SDKs send when code evaluates a flag, with the value. */
export const exposure = {
  event: '$feature_flag_called',
  flag: '$feature_flag',
  value: '$feature_flag_response',
  /** The event that a browser sends when a variant was in view; it has the same properties. */
  seen: '$feature_flag_seen',
  /** The library of events about pages that Tilth serves. */
  site: 'tilth-site',
  /** The prefix of a flag's key in the properties of any event: the flag's value at that time. */
  carried: '$feature/',
  /** The prefix of flags that Tilth keeps to target surveys. Evaluating one exposes no one to a variant. */
  surveyTargeting: 'survey-targeting-',
} as const

/** The answer of the kind `exposures`, by flag key. */
export interface ExposuresAnswer {
  flags: ExposedFlag[]
}

export interface ExposedFlag {
  flag: string
  /** The times in the period. */
  times: number
  persons: number
  /** The values in the period, by most persons first. An empty text if the event has none. */
  values: { value: string; times: number; persons: number }[]
  /** Over all events up to the end of the period. */
  firstAsked: string
  lastAsked: string
  /** The libraries that evaluated the flag, latest first; `times` is of the period. */
  askedBy: { library: string; times: number; lastAsked: string }[]
}

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
  /** The number of persons who have more than the question's `over`. */
  above: number
}
