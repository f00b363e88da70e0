import type { ReturnInterval } from '../../calendar/intervals'

export interface LifecycleAnswer {
  interval: ReturnInterval
  /** The beginning of each interval. */
  starts: string[]
  /** The end of the last one. */
  end: string
  /** The number of complete intervals; in later ones, dormant persons may still return. */
  complete: number
  /** New, returning and resurrecting persons together. */
  active: number[]
  new: number[]
  returning: number[]
  resurrecting: number[]
  /** Persons who were active in the previous interval and are not in this one: never negative. */
  dormant: number[]
}
