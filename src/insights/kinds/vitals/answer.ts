import type { VitalName } from '../../compile/web-vitals'

/** The answer of the kind `vitals`. */
export interface VitalsAnswer {
  /** The whole site. */
  site: Record<VitalName, VitalSummary>
  pages: { page: string; vital: VitalSummary }[]
}

export interface VitalSummary {
  /** Null without measurements. */
  p75: number | null
  measured: number
  /** The numbers of good and poor measurements. */
  good: number
  poor: number
}
