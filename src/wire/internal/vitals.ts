import type { Json, Properties } from '#events/event'
import { withoutUndefined, numberField } from '../read-fields'

const metrics = ['LCP', 'CLS', 'INP', 'FCP', 'TTFB', 'FID'] as const

/** PostHog's names of the web vitals. CLS is a share of the screen, the others are milliseconds. */
export const vitalName = (metric: string): string => `$web_vitals_${metric}_value`

/** Reads the metrics from `fields`, ignoring the case of their names. */
export function vitalsFrom(fields: Properties): Properties {
  const lower = new Map<string, Json>(
    Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const found = metrics.map((metric): [string, number | undefined] => {
    const value = numberField({ metric: lower.get(metric.toLowerCase()) ?? null }, 'metric')
    return [vitalName(metric), value === undefined ? undefined : roundVital(metric, value)]
  })
  return withoutUndefined(Object.fromEntries(found))
}

/** Rounds away precision that is not noticeable. */
export const roundVital = (metric: string, value: number): number =>
  metric === 'CLS' ? Math.round(value * 1e4) / 1e4 : Math.round(value)

export const isMetric = (name: string): boolean => metrics.some((metric) => metric === name)
