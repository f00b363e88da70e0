import type { RetentionCurveProps } from './chart'
import { LineChart } from './LineChart'

/** The share of persons who return, period after period. */
export function RetentionCurve({ periods, ...chart }: RetentionCurveProps) {
  return <LineChart {...chart} unit="percent" points={periods.map((label) => ({ label }))} />
}
