import { clsx } from 'clsx'
import type { SparkLineProps } from './chart'
import { alongBands, alongLine, known, upAxis, type UpAxis } from './charting/axis'
import { Bars } from './charting/Bars'
import { Stretched } from './charting/Drawing'
import { ComparedLine, Line, Markers } from './charting/Lines'
import { ink } from './charting/looks'
import { areaPath } from './charting/path'
import { fromZero } from './charting/stack'

/** The course of a number, as small as a word. */
export function SparkLine({ label, className, ...drawn }: SparkLineProps) {
  const axis = upAxis([...known(drawn.values), ...known(drawn.compared ?? [])])
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

type Small = SparkLineProps & { axis: UpAxis }

function SmallLine({ values, compared, lastIsIncomplete, colour = 1, axis }: Small) {
  const along = alongLine(values.length)
  return (
    <>
      <Stretched>
        <path d={areaPath(fromZero(values), along, axis)} fill={ink(colour)} fillOpacity="0.1" />
      </Stretched>
      {compared && <ComparedLine values={compared} along={along} axis={axis} colour={colour} />}
      <Line {...{ values, along, axis, colour, lastIsIncomplete }} />
      <Markers values={values} place={0} of={1} along={along} axis={axis} colour={colour} />
    </>
  )
}

function SmallBars({ values, lastIsIncomplete, colour, axis }: Small) {
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
