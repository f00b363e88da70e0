import { area, line } from 'd3-shape'
import type { Amount } from '../chart'
import { isKnown, round, type Along, type UpAxis } from './axis'
import type { Extent, Extents } from './stack'

/** A line through what is known, broken where nothing is. `places` says which points, so that an end can be apart. */
export function linePath(
  values: readonly Amount[],
  along: Along,
  axis: UpAxis,
  places = allOf(values),
): string {
  const draw = line<number>()
    .digits(2)
    .defined((place) => isKnown(values[place]))
    .x(along.at)
    .y((place) => axis.up(values[place] ?? 0))
  return draw(places) ?? ''
}

export function areaPath(extents: Extents, along: Along, axis: UpAxis): string {
  const draw = area<number>()
    .digits(2)
    .defined((place) => Boolean(extents[place]))
    .x(along.at)
    .y0((place) => axis.up(extents[place]?.from ?? 0))
    .y1((place) => axis.up(extents[place]?.to ?? 0))
  return draw(allOf(extents)) ?? ''
}

/** All bars of a series as one path: a thousand of them are one element. */
export function barsPath(
  extents: Extents,
  box: (place: number) => Box,
  axis: UpAxis,
  places = allOf(extents),
) {
  return places
    .map((place) => {
      const extent = extents[place]
      return extent ? barPath(extent, box(place), axis) : ''
    })
    .join('')
}

export type Box = { left: number; width: number }

function barPath({ from, to }: Extent, { left, width }: Box, axis: UpAxis): string {
  const [top, bottom] = [Math.min(axis.up(from), axis.up(to)), Math.max(axis.up(from), axis.up(to))]
  return `M${round(left)},${top}h${round(width)}v${round(bottom - top)}h${round(-width)}Z`
}

/** A line at the height of each amount, a little wider than its bar. */
export function levelsPath(values: readonly Amount[], box: (place: number) => Box, axis: UpAxis): string {
  return values
    .map((value, place) => {
      const { left, width } = box(place)
      return isKnown(value) ? `M${round(left - width * 0.1)},${axis.up(value)}h${round(width * 1.2)}` : ''
    })
    .join('')
}

export const allOf = (list: readonly unknown[]): number[] => Array.from(list.keys())
