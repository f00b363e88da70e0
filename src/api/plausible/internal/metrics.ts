/** The metrics of Plausible's API that Tilth answers. */
const metricNames = [
  'visitors',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
  'events',
  'scroll_depth',
  'time_on_page',
  'percentage',
  'conversion_rate',
  'group_conversion_rate',
  'average_revenue',
  'total_revenue',
  'exit_rate',
] as const
export type MetricName = (typeof metricNames)[number]

export const isMetric = (name: unknown): name is MetricName => metricNames.some((known) => known === name)

/** The numbers of a row before they are rounded: rates as shares, times in seconds, null where there is none. */
export type MetricFigures = Partial<Record<MetricName, number | null>>

/** Revenue as Plausible writes it. */
interface ShownRevenue {
  value: number
  currency: string
  short: string
  long: string
}

export type ShownMetric = number | null | ShownRevenue

const decimals = (value: number, digits: number): number => Number(value.toFixed(digits))

/** A number of nothing, which is 0 where Plausible counts. */
const zeroOfNothing = (value: number | null | undefined): number => value ?? 0

const shown: Readonly<Record<MetricName, (value: number | null | undefined) => number | null>> = {
  visitors: zeroOfNothing,
  visits: zeroOfNothing,
  pageviews: zeroOfNothing,
  events: zeroOfNothing,
  views_per_visit: (value) => decimals(value ?? 0, 2),
  bounce_rate: (value) => Math.round((value ?? 0) * 100),
  visit_duration: (value) => Math.round(value ?? 0),
  scroll_depth: (value) => (value === null || value === undefined ? null : Math.round(value)),
  time_on_page: (value) => (value === null || value === undefined ? null : Math.round(value)),
  percentage: (value) => decimals((value ?? 0) * 100, 2),
  conversion_rate: (value) => decimals((value ?? 0) * 100, 2),
  group_conversion_rate: (value) => decimals((value ?? 0) * 100, 2),
  exit_rate: (value) => (value === null || value === undefined ? null : decimals(value * 100, 1)),
  average_revenue: (value) => value ?? null,
  total_revenue: (value) => value ?? null,
}

export const isRevenue = (name: MetricName): boolean => name === 'total_revenue' || name === 'average_revenue'

/** Returns a metric as answers show it. */
export function shownMetric(name: MetricName, figures: MetricFigures, currency: string): ShownMetric {
  const value = shown[name](figures[name])
  return isRevenue(name) && value !== null ? revenueOf(value, currency) : value
}

/** Returns a metric as a number, for changes between periods. */
export const plainMetric = (name: MetricName, figures: MetricFigures): number | null =>
  shown[name](figures[name])

function revenueOf(value: number, currency: string): ShownRevenue {
  const style = { style: 'currency', currency } as const
  return {
    value,
    currency,
    short: new Intl.NumberFormat('en-US', { ...style, notation: 'compact', maximumFractionDigits: 1 }).format(
      value,
    ),
    long: new Intl.NumberFormat('en-US', style).format(value),
  }
}

/** The change to a number in percent, and of a rate in points. */
export function changeOf(name: MetricName, now: number | null, before: number | null): number | null {
  if (now === null || before === null) return null
  if (name === 'bounce_rate' || name === 'conversion_rate' || name === 'exit_rate')
    return decimals(now - before, 1)
  if (before === 0) return now > 0 ? 100 : 0
  return Math.round(((now - before) / before) * 100)
}
