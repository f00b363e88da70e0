import type { Json, Properties } from '../../events/event'
import { known, numberIn } from './said'

const metrics = ['LCP', 'CLS', 'INP', 'FCP', 'TTFB', 'FID'] as const

/** PostHog's names for how fast a page was. CLS is a share of the screen, the others are milliseconds. */
export const vitalName = (metric: string): string => `$web_vitals_${metric}_value`

/** The metrics in `said`, whatever the case of their names. */
export function vitalsIn(said: Properties): Properties {
  const lower = new Map<string, Json>(
    Object.entries(said).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const found = metrics.map((metric): [string, number | undefined] => {
    const value = numberIn({ metric: lower.get(metric.toLowerCase()) ?? null }, 'metric')
    return [vitalName(metric), value === undefined ? undefined : tidyVital(metric, value)]
  })
  return known(Object.fromEntries(found))
}

/** No finer than anybody can feel. */
export const tidyVital = (metric: string, value: number): number =>
  metric === 'CLS' ? Math.round(value * 1e4) / 1e4 : Math.round(value)

export const isMetric = (name: string): boolean => metrics.some((metric) => metric === name)
