/** Named periods, by their names in URLs. */
export const namedPeriods = {
  today: 'Today',
  yesterday: 'Yesterday',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '28d': 'Last 28 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '12w': 'Last 12 weeks',
  '12mo': 'Last 12 months',
  'this-week': 'This week',
  'last-week': 'Last week',
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-year': 'This year',
  'last-year': 'Last year',
  all: 'All time',
} as const
export type NamedPeriod = keyof typeof namedPeriods

export const isNamedPeriod = (text: string): text is NamedPeriod => Object.hasOwn(namedPeriods, text)

export const namedPeriodNames = Object.keys(namedPeriods).filter(isNamedPeriod)

/** The periods to compare with; those with `-weekday` are whole weeks away, so that Mondays meet Mondays. */
export const namedComparisons = {
  previous: 'Previous period',
  year: 'Previous year',
  'previous-weekday': 'Previous period, same weekdays',
  'year-weekday': 'Previous year, same weekdays',
} as const
export type NamedComparison = keyof typeof namedComparisons

export const isNamedComparison = (text: string): text is NamedComparison =>
  Object.hasOwn(namedComparisons, text)
