import type { Amount, ChartColour, LineChartProps } from '../chart'
import { isKnown, type AlongAxis, type UpAxis } from './axis'
import { colourValue, shapeAt } from './series-style'
import { allOf, linePath } from './path'
import { Stretched } from './Drawing'

/** A line; its last stretch is dotted when the last bucket is not over. */
export function Line({
  values,
  along,
  axis,
  colour,
  lastIsIncomplete,
  shape,
}: {
  values: readonly Amount[]
  along: AlongAxis
  axis: UpAxis
  colour: ChartColour
  lastIsIncomplete?: boolean
  shape?: LineChartProps['shape']
}) {
  const places = allOf(values)
  const holds = shape === 'steps'
  const isOpen = lastIsIncomplete && places.length > 1
  return (
    <Stretched>
      <g
        fill="none"
        stroke={colourValue(colour)}
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
      >
        <path
          d={linePath(values, along, axis, { places: isOpen ? places.slice(0, -1) : places, holds })}
          vectorEffect="non-scaling-stroke"
        />
        {isOpen && (
          <path
            d={linePath(values, along, axis, { places: places.slice(-2), holds })}
            vectorEffect="non-scaling-stroke"
            strokeDasharray="0.1 4.5"
          />
        )}
      </g>
    </Stretched>
  )
}

/** The same in the period it is compared with. */
export function ComparedLine({
  values,
  along,
  axis,
  colour,
}: Omit<Parameters<typeof Line>[0], 'lastIsIncomplete' | 'shape'>) {
  return (
    <Stretched>
      <path
        d={linePath(values, along, axis)}
        fill="none"
        stroke={colourValue(colour)}
        strokeWidth="1.5"
        strokeDasharray="5 4"
        strokeOpacity="0.6"
        vectorEffect="non-scaling-stroke"
      />
    </Stretched>
  )
}

const mostMarkers = 7

/** A few along each line, so that lines differ by more than colour; not where those of the other lines are. */
export function Markers({
  values,
  place: index,
  of,
  along,
  axis,
  colour,
}: {
  values: readonly Amount[]
  place: number
  of: number
  along: AlongAxis
  axis: UpAxis
  colour: ChartColour
}) {
  return markedPlaces(values, index, of).map((at) => (
    <svg key={at} x={`${along.at(at)}%`} y={`${axis.up(values[at] ?? 0)}%`} overflow="visible">
      <path
        d={shapeAt(index)}
        fill={colourValue(colour)}
        className="stroke-surface"
        strokeWidth="1.5"
        paintOrder="stroke"
      />
    </svg>
  ))
}

/** Some of many, shifted from line to line; and all that stand alone, which a line could not show. */
export function markedPlaces(values: readonly Amount[], index: number, of: number): number[] {
  const drawn = allOf(values).filter((at) => isKnown(values[at]))
  const stride = Math.ceil(drawn.length / mostMarkers)
  const shift = Math.floor((index * stride) / of)
  return drawn.filter((at, order) => isAlone(values, at) || (of > 1 && order % stride === shift))
}

const isAlone = (values: readonly Amount[], at: number): boolean =>
  !isKnown(values[at - 1]) && !isKnown(values[at + 1])
