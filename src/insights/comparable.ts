import { type Calendar, comparedSoFar, comparedWith, type Period } from './period'

export interface Comparable {
  whole: Period
  /** As much of it as has passed of the period it is held against: half a day is not compared with a whole one. */
  part: Period
}

export function comparableWith(period: Period, compare: string, calendar: Calendar): Comparable {
  const whole = comparedWith(period, compare, calendar)
  return { whole, part: comparedSoFar(whole, period, calendar) }
}

/** How it stands in an answer. */
export const asText = ({ from, until }: Period): { from: string; until: string } => ({
  from: from.toISOString(),
  until: until.toISOString(),
})
