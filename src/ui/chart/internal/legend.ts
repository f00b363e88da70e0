import type { AxisChart, ChartLegendEntry } from '../chart'
import { colourOf } from './series-style'

/** Every series, and what dashed lines are, once. */
export function legendOf(
  { series, comparison, legend }: Pick<AxisChart, 'series' | 'comparison' | 'legend'>,
  mark: 'line' | 'block',
): ChartLegendEntry[] {
  const isCompared = series.some(({ compared }) => compared)
  if (!(legend ?? (series.length > 1 || isCompared))) return []
  const entries = series.map((one, index) => ({
    label: one.label,
    colour: colourOf(one, index),
    series: series.length > 1 ? index : undefined,
    mark,
  }))
  return isCompared
    ? [...entries, { label: comparison?.label ?? 'Previous period', colour: 'rest', mark: 'dashed' }]
    : entries
}
