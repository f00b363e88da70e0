import { round, type AlongAxis } from './axis'
import type { Box } from './path'

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
