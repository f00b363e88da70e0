/** How fast pages are, and from where on that is no longer good, and poor: the thresholds of web.dev. */
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

export const verdicts = { good: 'Good', middling: 'Needs work', poor: 'Poor' } as const
export type Verdict = keyof typeof verdicts

/** Of what three of four visitors see at worst. */
export function verdictOf(name: VitalName, p75: number): Verdict {
  const { good, poor } = webVitals[name]
  if (p75 <= good) return 'good'
  return p75 <= poor ? 'middling' : 'poor'
}

/** What the kind `vitals` answers. */
export interface VitalsAnswer {
  /** Of the whole site. */
  site: Record<VitalName, Vital>
  pages: { page: string; vital: Vital }[]
}

export interface Vital {
  /** Null where nobody measured it. */
  p75: number | null
  measured: number
  /** How many of the measurements were good, and how many poor. */
  good: number
  poor: number
}
