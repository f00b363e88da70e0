import { type Calendar, comparedSoFar, comparedWith, type Period } from '../../calendar/period'

export interface ComparablePeriods {
  whole: Period
  /** The part that corresponds to the elapsed part of the main period: half a day is not compared with a whole one. */
  part: Period
}

export function comparablePeriods(period: Period, compare: string, calendar: Calendar): ComparablePeriods {
  const whole = comparedWith(period, compare, calendar)
  return { whole, part: comparedSoFar(whole, period, calendar) }
}

/** Returns a period as it appears in answers. */
export const periodAsText = ({ from, until }: Period): { from: string; until: string } => ({
  from: from.toISOString(),
  until: until.toISOString(),
})
