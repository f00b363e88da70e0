import { dateTime, days } from '#ui/format'
import { isDay } from '#ui/dates'
import { isNamedComparison, namedComparisons, namedPeriods } from './named-periods'

const units: Readonly<Record<string, string>> = {
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  y: 'year',
}

const named = new Map<string, string>(Object.entries(namedPeriods))

/** Returns the label of a period: "Last 30 days", "1 – 21 Nov 2026". */
export function periodWords(period: string): string {
  return named.get(period) ?? lastWords(period) ?? betweenWords(period)
}

function lastWords(period: string): string | undefined {
  const [, amount, letter = ''] = /^(\d+)(m|h|d|w|mo|y)$/.exec(period) ?? []
  if (amount === undefined) return undefined
  return Number(amount) === 1 ? `This ${units[letter]}` : `Last ${Number(amount)} ${units[letter]}s`
}

function betweenWords(period: string): string {
  const [from = '', to = ''] = period.split('..')
  if (isDay(from) && isDay(to)) return days({ from, to })
  const isKnown = [from, to].every((at) => !Number.isNaN(Date.parse(at)))
  return isKnown ? `${dateTime(from, 'UTC')} – ${dateTime(to, 'UTC')} UTC` : period
}

/** Returns the label of a comparison. */
export function comparisonWords(compare: string): string {
  return isNamedComparison(compare) ? namedComparisons[compare] : periodWords(compare)
}
