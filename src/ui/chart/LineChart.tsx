import type { ChartColour, LineChartProps } from './chart'
import { ChartLegend } from './internal/ChartLegend'
import { Annotations } from './internal/Annotations'
import { Axes, Guides } from './internal/Axes'
import { alongLine, amountsOf, round, upAxis, type AlongAxis, type UpAxis } from './internal/axis'
import { Drawing, Stretched } from './internal/Drawing'
import { Figure } from './internal/Figure'
import { TexturedShape } from './internal/TexturedShape'
import { legendOf } from './internal/legend'
import { ComparedLine, Line, Markers } from './internal/Lines'
import { colourOf, colourValue } from './internal/series-style'
import { EmptyPlot } from './internal/EmptyPlot'
import { areaPath, linePath } from './internal/path'
import { ChartInteraction } from './internal/ChartInteraction'
import { describeChart, chartTableOf } from './internal/chart-table'
import { extentsAll, fromZero, stack, withoutHoles, type Extent, type Extents } from './internal/stack'

/** Amounts over points, usually times: lines, steps, a filled line, or areas on top of each other. */
export function LineChart(props: LineChartProps) {
  const { title, points, series, unit, shape = 'line', guides = [], size } = props
  if (points.length === 0 || series.length === 0) return <EmptyPlot size={size} />

  const along = alongLine(points.length)
  const isStacked = shape === 'stacked'
  const extents = isStacked ? stack(series.map(({ values }) => withoutHoles(values))) : undefined
  const axis = upAxis(
    extents ? [...extentsAll(extents), ...guides.map(({ value }) => value)] : amountsOf(series, guides),
    unit,
  )
  const drawn = { ...props, along, axis, extents }
  const description = props.description ?? describeChart(points, series, unit)

  return (
    <Figure
      title={title}
      description={description}
      readings={chartTableOf({ ...drawn, withTotal: isStacked && series.length > 1 })}
      isStacked={isStacked}
    >
      <ChartLegend entries={legendOf(props, isStacked ? 'block' : 'line')} />
      <Axes axis={axis} along={along} labels={points.map(({ label }) => label)} unit={unit} size={size}>
        <ChartInteraction label={title} rows={points.length} onPick={props.onPick} className="size-full">
          <Drawing label={title} description={description}>
            {extents ? <StackedAreas {...drawn} extents={extents} /> : <OwnLines {...drawn} />}
          </Drawing>
          <Guides guides={guides} axis={axis} unit={unit} />
          <Annotations annotations={props.annotations ?? []} along={along} count={points.length} />
        </ChartInteraction>
      </Axes>
    </Figure>
  )
}

type LinePlot = LineChartProps & { along: AlongAxis; axis: UpAxis }

function OwnLines({ series, shape, ...plot }: LinePlot) {
  return series.map((one, order) => {
    const colour = colourOf(one, order)
    return (
      <g key={one.key} data-series={order}>
        {shape === 'area' && (
          <Stretched>
            <path
              d={areaPath(fromZero(one.values), plot.along, plot.axis)}
              fill={colourValue(colour)}
              fillOpacity="0.12"
            />
          </Stretched>
        )}
        {one.bounds && (
          <Stretched>
            <path
              d={areaPath(one.bounds.map(extentOf), plot.along, plot.axis)}
              fill={colourValue(colour)}
              fillOpacity="0.14"
            />
          </Stretched>
        )}
        {one.compared && <ComparedLine {...plot} values={one.compared} colour={colour} />}
        <Line {...plot} shape={shape} values={one.values} colour={colour} />
        <Markers {...plot} values={one.values} place={order} of={series.length} colour={colour} />
      </g>
    )
  })
}

const extentOf = (ends: readonly [low: number, high: number] | null): Extent | null =>
  ends && { from: ends[0], to: ends[1] }

function StackedAreas(drawn: LinePlot & { extents: readonly Extents[] }) {
  return (
    <>
      {drawn.series.map((one, order) => (
        <StackedArea key={one.key} {...drawn} order={order} colour={colourOf(one, order)} />
      ))}
      {drawn.lastIsIncomplete && <IncompleteMark {...drawn} />}
    </>
  )
}

type Area = Pick<LinePlot, 'along' | 'axis'> & {
  extents: readonly Extents[]
  order: number
  colour: ChartColour
}

function StackedArea({ extents, along, axis, order, colour }: Area) {
  const own = extents[order] ?? []
  const tops = own.map((extent) => extent && extent.to)
  return (
    <g data-series={order}>
      <TexturedShape path={areaPath(own, along, axis)} colour={colour} texture={order} opacity={0.85} />
      <Stretched>
        <path
          d={linePath(tops, along, axis)}
          className="stroke-surface"
          fill="none"
          vectorEffect="non-scaling-stroke"
        />
      </Stretched>
    </g>
  )
}

/** Over the stretch to a bucket that is not over: areas cannot be dotted, but they can be pale. */
function IncompleteMark({ points, along }: LinePlot) {
  const from = along.at(points.length - 2)
  if (points.length < 2) return null
  return (
    <>
      <rect
        x={`${from}%`}
        width={`${round(100 - from)}%`}
        height="100%"
        className="fill-surface"
        fillOpacity="0.55"
      />
      <line
        x1={`${from}%`}
        x2={`${from}%`}
        y2="100%"
        className="stroke-muted"
        strokeDasharray="0.1 4.5"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </>
  )
}
