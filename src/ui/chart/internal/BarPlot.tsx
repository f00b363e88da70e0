import type { AxisChart } from '../chart'
import { ChartLegend } from './ChartLegend'
import { Annotations } from './Annotations'
import { Axes, Guides } from './Axes'
import { alongBands, amountsOf, upAxis } from './axis'
import { Bars } from './Bars'
import { Drawing } from './Drawing'
import { Figure } from './Figure'
import { legendOf } from './legend'
import { EmptyPlot } from './EmptyPlot'
import { ChartInteraction } from './ChartInteraction'
import { describeChart, chartTableOf } from './chart-table'
import { extentsAll, fromZero, stack } from './stack'

/** Bars over points: what BarChart, StackedLifecycle and Histogram have in common. */
export function BarPlot({
  isGrouped = false,
  isSigned = true,
  first = 'Date',
  ...chart
}: AxisChart & {
  isGrouped?: boolean
  /** Amounts below zero are drawn downwards and written without a sign. */
  isSigned?: boolean
  first?: string
}) {
  const { title, points, series, unit, guides = [], size } = chart
  if (points.length === 0 || series.length === 0) return <EmptyPlot size={size} />

  const along = alongBands(points.length)
  const isStacked = !isGrouped && series.length > 1
  const extents = isStacked
    ? stack(series.map(({ values }) => values))
    : series.map(({ values }) => fromZero(values))
  const axis = upAxis([...extentsAll(extents), ...amountsOf(series, guides)], unit)
  const description = chart.description ?? describeChart(points, series, unit)
  const readings = chartTableOf({
    ...chart,
    along,
    axis,
    extents,
    isSigned,
    withTotal: isStacked && isSigned,
  })

  return (
    <Figure title={title} description={description} isStacked={isStacked} readings={{ ...readings, first }}>
      <ChartLegend entries={legendOf(chart, 'block')} />
      <Axes
        axis={axis}
        along={along}
        labels={points.map(({ label }) => label)}
        unit={unit}
        size={size}
        isSigned={isSigned}
      >
        <ChartInteraction
          label={title}
          rows={points.length}
          band={along.band}
          onPick={chart.onPick}
          className="size-full"
        >
          <Drawing label={title} description={description}>
            <Bars {...chart} along={along} axis={axis} extents={extents} isGrouped={isGrouped} />
          </Drawing>
          <Guides guides={guides} axis={axis} unit={unit} />
          <Annotations annotations={chart.annotations ?? []} along={along} count={points.length} />
        </ChartInteraction>
      </Axes>
    </Figure>
  )
}
