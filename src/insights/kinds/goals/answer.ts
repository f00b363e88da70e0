import type { Interval } from '../../calendar/period'

export interface GoalFigures {
  /** Visitors who reached the goal at least once. */
  conversions: number
  /** The share of all visitors; null without any. */
  rate: number | null
  /** The number of times the goal was reached. */
  times: number
  /** The revenue of the events that reached it. */
  revenue: number
}

/** In the order of the query's goals. */
export interface GoalsAnswer {
  interval: Interval
  starts: string[]
  lastIsIncomplete: boolean
  goals: {
    figures: GoalFigures
    /** The conversions of each interval. */
    course: number[]
    /** Of the compared period; of an incomplete period, of the part that corresponds to it. */
    compared?: GoalFigures
  }[]
}
