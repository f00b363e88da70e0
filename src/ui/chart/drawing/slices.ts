import { arc } from 'd3-shape'
import type { Slice } from '../chart'

/** A slice with its share and where it is drawn, in a ring of radius 50 around the middle. */
export type DrawnSlice = Slice & { share: number; path: string; x: number; y: number; order: number }

const ring = arc<{ from: number; until: number }>()
  .digits(2)
  .innerRadius(31)
  .outerRadius(49)
  .cornerRadius(0.8)
  .padAngle(0.02)
  .startAngle(({ from }) => from * 2 * Math.PI)
  .endAngle(({ until }) => until * 2 * Math.PI)

export function ringOf(slices: readonly Slice[], limit: number): DrawnSlice[] {
  const shown = withOthers(
    slices.filter(({ value }) => value > 0),
    limit,
  )
  const total = shown.reduce((sum, { value }) => sum + value, 0)
  let from = 0
  return shown.map((slice, order) => {
    const share = slice.value / total
    const part = { from, until: from + share }
    from += share
    const [x, y] = ring.centroid({ ...part })
    return { ...slice, order, share, path: ring(part) ?? '', x: x + 50, y: y + 50 }
  })
}

/** Past the limit, the smallest are taken together. */
function withOthers(slices: readonly Slice[], limit: number): Slice[] {
  const sorted = slices.toSorted((one, other) => other.value - one.value)
  if (sorted.length <= limit) return sorted
  const rest = sorted.slice(limit - 1)
  const value = rest.reduce((sum, slice) => sum + slice.value, 0)
  return [...sorted.slice(0, limit - 1), { key: '', label: `${rest.length} others`, value, colour: 'rest' }]
}
