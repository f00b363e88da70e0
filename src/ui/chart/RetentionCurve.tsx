import type { RetentionCurveProps } from './chart'
import { LineChart } from './LineChart'

/** Which share comes back, period after period. */
export function RetentionCurve({ periods, ...chart }: RetentionCurveProps) {
  return <LineChart {...chart} unit="percent" points={periods.map((label) => ({ label }))} />
}
