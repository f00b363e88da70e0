import type { AxisChart } from '../chart'
import { type AlongAxis, round, type UpAxis } from './axis'
import { Stretched } from './Drawing'
import { TexturedShape } from './TexturedShape'
import { colourOf, colourValue } from './series-style'
import { allOf, barsPath, type Box, levelsPath } from './path'
import type { Extents } from './stack'

type PlottedBars = Pick<AxisChart, 'series' | 'lastIsIncomplete'> & {
  along: AlongAxis
  axis: UpAxis
  extents: readonly Extents[]
  isGrouped: boolean
}

export function Bars({ series, extents, along, axis, isGrouped, lastIsIncomplete }: PlottedBars) {
  return series.map((one, order) => {
    const colour = colourOf(one, order)
    const box = isGrouped ? barBox(along, order, series.length) : barBox(along, 0)
    const [whole, open] = apart(extents[order] ?? [], lastIsIncomplete)
    return (
      <g key={one.key} data-series={order}>
        <TexturedShape
          path={barsPath(extents[order] ?? [], box, axis, whole)}
          colour={colour}
          texture={order}
        />
        <TexturedShape path={barsPath(extents[order] ?? [], box, axis, open)} colour={colour} opacity={0.3} />
        <Stretched>
          <path
            d={barsPath(extents[order] ?? [], box, axis, open)}
            fill="none"
            stroke={colourValue(colour)}
            strokeWidth="1.5"
            strokeDasharray="1.5 2.5"
            vectorEffect="non-scaling-stroke"
          />
          {one.compared && <ProjectedBars path={levelsPath(one.compared, box, axis)} />}
        </Stretched>
      </g>
    )
  })
}

/** A dashed level across the bar, with a rim so that it shows on the bar and off it. */
function ProjectedBars({ path }: { path: string }) {
  return (
    <>
      <path d={path} className="stroke-surface" strokeWidth="4" vectorEffect="non-scaling-stroke" />
      <path
        d={path}
        className="stroke-ink"
        strokeWidth="1.5"
        strokeDasharray="3 1.5"
        vectorEffect="non-scaling-stroke"
      />
    </>
  )
}

/** Separates the finished points from the unfinished last one. */
function apart(extents: Extents, lastIsIncomplete = false): [whole: number[], open: number[]] {
  const places = allOf(extents)
  return lastIsIncomplete ? [places.slice(0, -1), places.slice(-1)] : [places, []]
}

const filled = 0.72
/** A few bars do not become walls. */
const widest = 14

/** The box of one series' bar in the band of its point, beside those of the other series. */
export function barBox(along: AlongAxis, index: number, of = 1): (point: number) => Box {
  const group = Math.min(along.band * filled, widest * of)
  const width = group / of
  const inner = of > 1 ? width * 0.9 : width
  return (point) => ({
    left: round(along.at(point) - group / 2 + index * width + (width - inner) / 2),
    width: round(inner),
  })
}
