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
