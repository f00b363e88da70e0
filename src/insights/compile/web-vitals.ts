/** The web vitals with the thresholds of web.dev for good and poor. */
export const webVitals = {
  LCP: { label: 'Largest contentful paint', good: 2500, poor: 4000, unit: 'milliseconds' },
  INP: { label: 'Interaction to next paint', good: 200, poor: 500, unit: 'milliseconds' },
  CLS: { label: 'Cumulative layout shift', good: 0.1, poor: 0.25, unit: 'number' },
  FCP: { label: 'First contentful paint', good: 1800, poor: 3000, unit: 'milliseconds' },
  TTFB: { label: 'Time to first byte', good: 800, poor: 1800, unit: 'milliseconds' },
} as const
export type VitalName = keyof typeof webVitals

export const isVital = (name: string): name is VitalName => Object.hasOwn(webVitals, name)
export const vitalNames = Object.keys(webVitals).filter(isVital)

export const vitalRatings = { good: 'Good', middling: 'Needs work', poor: 'Poor' } as const
type VitalRating = keyof typeof vitalRatings

/** Rates the 75th percentile. */
export function vitalRatingOf(name: VitalName, p75: number): VitalRating {
  const { good, poor } = webVitals[name]
  if (p75 <= good) return 'good'
  return p75 <= poor ? 'middling' : 'poor'
}
