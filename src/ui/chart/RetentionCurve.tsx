import type { RetentionCurveProps } from './chart'
import { LineChart } from './LineChart'

/** The share who return, period after period. The first one, in which all began, would flatten all others. */
export function RetentionCurve({ periods, series, ...chart }: RetentionCurveProps) {
  const from = periods.length > 2 ? 1 : 0
  return (
    <LineChart
      {...chart}
      unit="percent"
      points={periods.slice(from).map((label) => ({ label }))}
      series={series.map((one) => ({ ...one, values: one.values.slice(from) }))}
    />
  )
}
