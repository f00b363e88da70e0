import type { ReturnInterval } from '../../calendar/intervals'

/** The numbers of one period. */
export interface StickinessCourse {
  /** The beginning of each interval. */
  starts: string[]
  /** The end of the last one. */
  end: string
  /** The number of persons of each series who were active in one interval, in two, and so on. */
  counts: number[][]
  /** The number of persons of each series who were active at all. */
  totals: number[]
}

export interface StickinessAnswer extends StickinessCourse {
  interval: ReturnInterval
  every: number
  /** Whether the counts include persons with more intervals. */
  cumulative: boolean
  labels: string[]
  compared?: StickinessCourse
}
