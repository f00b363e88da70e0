import type { HistogramProps } from './chart'
import { BarPlot } from './internal/BarPlot'
import { shortAmount, type Unit } from '../format'

/** The distribution of a duration: counts over bins. */
export function Histogram({ bins, unit, countLabel, median, description, ...chart }: HistogramProps) {
  const middle = median === undefined ? -1 : bins.findIndex(({ until }) => until === null || median < until)
  const medianLabel = median === undefined ? undefined : `Median: ${shortAmount(median, unit)}`
  return (
    <BarPlot
      {...chart}
      first="Range"
      description={description ?? medianLabel}
      points={bins.map((bin) => ({
        label: shortAmount(bin.from, unit),
        title: rangeOf(bin, unit),
        href: bin.href,
      }))}
      series={[{ key: 'count', label: countLabel, values: bins.map(({ count }) => count) }]}
      annotations={medianLabel && middle >= 0 ? [{ at: middle, label: medianLabel }] : []}
    />
  )
}

const rangeOf = ({ from, until }: { from: number; until: number | null }, unit: Unit): string =>
  until === null
    ? `${shortAmount(from, unit)} or more`
    : `${shortAmount(from, unit)} – ${shortAmount(until, unit)}`
