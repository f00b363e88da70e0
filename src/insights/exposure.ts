/** How SDKs tell that code asked for a flag, and what it got. */
export const exposure = {
  event: '$feature_flag_called',
  flag: '$feature_flag',
  value: '$feature_flag_response',
  /** How a browser tells that it was in view; with the same properties. */
  seen: '$feature_flag_seen',
  /** Which library tells what pages of our own site were made with. */
  site: 'tilth-site',
  /** Before a flag's key: what the sender of any event had got of it. */
  carried: '$feature/',
} as const

/** What the kind `exposures` answers, by the flags' keys. */
export interface ExposuresAnswer {
  flags: ExposedFlag[]
}

export interface ExposedFlag {
  flag: string
  /** Of the period. */
  times: number
  persons: number
  /** What was got in the period, by most persons first. An empty text where it was not told. */
  values: { value: string; times: number; persons: number }[]
  /** Of all times up to the end of the period. */
  firstAsked: string
  lastAsked: string
  /** The libraries that asked, the latest first; `times` are of the period. */
  askedBy: { library: string; times: number; lastAsked: string }[]
}

/** What the kind `sides` answers. */
export interface SidesAnswer {
  got: Side
  others: Side
}

/** People who were given the same, and how they fared: each of them is one number. */
export interface Side {
  persons: number
  /** Null where there is nobody. */
  mean: number | null
  /** Of the numbers, not of their mean; null below two persons. */
  variance: number | null
  p75: number | null
  /** How many of the persons have more than the question's `over`. */
  above: number
}
