import type { Amount, Series, StackedLifecycleProps } from './chart'
import { BarPlot } from './internal/BarPlot'

/** The persons who came, above the line, and those who left, below it. */
export function StackedLifecycle({ above, below, ...chart }: StackedLifecycleProps) {
  return <BarPlot {...chart} series={[...above, ...below.map(downwards)]} isSigned={false} />
}

const downwards = (series: Series): Series => ({ ...series, values: series.values.map(negative) })

const negative = (value: Amount): Amount => (value === null ? null : -Math.abs(value))
