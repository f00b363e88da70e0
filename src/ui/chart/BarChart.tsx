import type { BarChartProps } from './chart'
import { BarPlot } from './internal/BarPlot'

/** Amounts as bars from zero: several series on top of each other, or side by side. */
export function BarChart({ arrangement = 'stacked', ...chart }: BarChartProps) {
  return <BarPlot {...chart} isGrouped={arrangement === 'grouped'} />
}
