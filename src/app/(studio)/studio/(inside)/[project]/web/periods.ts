import type { namedPeriods } from '#insights/calendar/named-periods'
import { comparisonWords, periodWords } from '#insights/calendar/period-words'

/** What is offered; the days between any two are asked for. */
export const periodGroups = [
  ['today', 'yesterday', '24h'],
  ['7d', '28d', '30d', '90d', '12mo'],
  ['this-week', 'last-week', 'this-month', 'last-month', 'this-year', 'last-year'],
  ['all'],
] as const satisfies (keyof typeof namedPeriods)[][]

export const periodLabel = (period: string): string => periodWords(period)

export const comparisonLabel = (compare: string | undefined): string =>
  compare === undefined ? 'Nothing' : comparisonWords(compare)
