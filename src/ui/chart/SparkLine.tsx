import { clsx } from 'clsx'
import type { SparkLineProps } from './chart'
import { alongBands, alongLine, knownAmounts, upAxis, type UpAxis } from './internal/axis'
import { Bars } from './internal/Bars'
import { Stretched } from './internal/Drawing'
import { ComparedLine, Line, Markers } from './internal/Lines'
import { colourValue } from './internal/series-style'
import { areaPath } from './internal/path'
import { fromZero } from './internal/stack'

/** The course of a number, as small as a word. */
export function SparkLine({ label, className, ...drawn }: SparkLineProps) {
  const axis = upAxis([...knownAmounts(drawn.values), ...knownAmounts(drawn.compared ?? [])])
  return (
    <svg
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={clsx('block h-8 w-full overflow-visible', className)}
    >
      {drawn.shape === 'bars' ? <SmallBars {...drawn} axis={axis} /> : <SmallLine {...drawn} axis={axis} />}
    </svg>
  )
}

type SparkPlot = SparkLineProps & { axis: UpAxis }

function SmallLine({ values, compared, lastIsIncomplete, colour = 1, axis }: SparkPlot) {
  const along = alongLine(values.length)
  return (
    <>
      <Stretched>
        <path d={areaPath(fromZero(values), along, axis)} fill={colourValue(colour)} fillOpacity="0.1" />
      </Stretched>
      {compared && <ComparedLine values={compared} along={along} axis={axis} colour={colour} />}
      <Line {...{ values, along, axis, colour, lastIsIncomplete }} />
      <Markers values={values} place={0} of={1} along={along} axis={axis} colour={colour} />
    </>
  )
}

function SmallBars({ values, lastIsIncomplete, colour, axis }: SparkPlot) {
  return (
    <Bars
      series={[{ key: 'bars', label: '', values, colour }]}
      extents={[fromZero(values)]}
      along={alongBands(values.length)}
      axis={axis}
      isGrouped={false}
      lastIsIncomplete={lastIsIncomplete}
    />
  )
}
