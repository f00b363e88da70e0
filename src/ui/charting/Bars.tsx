import type { AxisChart } from '../chart'
import type { Along, UpAxis } from './axis'
import { barBox } from './bar-box'
import { Stretched } from './Drawing'
import { Filled } from './Filled'
import { colourOf, ink } from './looks'
import { allOf, barsPath, levelsPath } from './path'
import type { Extents } from './stack'

type BarsDrawn = Pick<AxisChart, 'series' | 'lastIsIncomplete'> & {
  along: Along
  axis: UpAxis
  extents: readonly Extents[]
  isGrouped: boolean
}

export function Bars({ series, extents, along, axis, isGrouped, lastIsIncomplete }: BarsDrawn) {
  return series.map((one, order) => {
    const colour = colourOf(one, order)
    const box = isGrouped ? barBox(along, order, series.length) : barBox(along, 0)
    const [whole, open] = apart(extents[order] ?? [], lastIsIncomplete)
    return (
      <g key={one.key} data-series={order}>
        <Filled path={barsPath(extents[order] ?? [], box, axis, whole)} colour={colour} texture={order} />
        <Filled path={barsPath(extents[order] ?? [], box, axis, open)} colour={colour} opacity={0.3} />
        <Stretched>
          <path
            d={barsPath(extents[order] ?? [], box, axis, open)}
            fill="none"
            stroke={ink(colour)}
            strokeWidth="1.5"
            strokeDasharray="1.5 2.5"
            vectorEffect="non-scaling-stroke"
          />
          {one.compared && <Before path={levelsPath(one.compared, box, axis)} />}
        </Stretched>
      </g>
    )
  })
}

/** A dashed level across the bar, with a rim so that it shows on the bar and off it. */
function Before({ path }: { path: string }) {
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

/** What is over, and what is not yet. */
function apart(extents: Extents, lastIsIncomplete = false): [whole: number[], open: number[]] {
  const places = allOf(extents)
  return lastIsIncomplete ? [places.slice(0, -1), places.slice(-1)] : [places, []]
}
