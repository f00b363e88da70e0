import { area, curveLinear, curveStepAfter, line } from 'd3-shape'
import type { Amount } from '../chart'
import { isKnown, round, type AlongAxis, type UpAxis } from './axis'
import type { Extent, Extents } from './stack'

/**
 * A line through what is known, broken where nothing is. `places` says which points, so that an end can be apart.
 * With `holds` each amount lasts until the next point.
 */
export function linePath(
  values: readonly Amount[],
  along: AlongAxis,
  axis: UpAxis,
  { places = allOf(values), holds = false }: { places?: number[]; holds?: boolean } = {},
): string {
  const draw = line<number>()
    .digits(2)
    .curve(holds ? curveStepAfter : curveLinear)
    .defined((index) => isKnown(values[index]))
    .x(along.at)
    .y((index) => axis.up(values[index] ?? 0))
  return draw(places) ?? ''
}

export function areaPath(extents: Extents, along: AlongAxis, axis: UpAxis): string {
  const draw = area<number>()
    .digits(2)
    .defined((index) => Boolean(extents[index]))
    .x(along.at)
    .y0((index) => axis.up(extents[index]?.from ?? 0))
    .y1((index) => axis.up(extents[index]?.to ?? 0))
  return draw(allOf(extents)) ?? ''
}

/** All bars of a series as one path: a thousand of them are one element. */
export function barsPath(
  extents: Extents,
  box: (index: number) => Box,
  axis: UpAxis,
  places = allOf(extents),
) {
  return places
    .map((index) => {
      const extent = extents[index]
      return extent ? barPath(extent, box(index), axis) : ''
    })
    .join('')
}

export type Box = { left: number; width: number }

function barPath({ from, to }: Extent, { left, width }: Box, axis: UpAxis): string {
  const [top, bottom] = [Math.min(axis.up(from), axis.up(to)), Math.max(axis.up(from), axis.up(to))]
  return `M${round(left)},${top}h${round(width)}v${round(bottom - top)}h${round(-width)}Z`
}

/** A line at the height of each amount, a little wider than its bar. */
export function levelsPath(values: readonly Amount[], box: (index: number) => Box, axis: UpAxis): string {
  return values
    .map((value, index) => {
      const { left, width } = box(index)
      return isKnown(value) ? `M${round(left - width * 0.1)},${axis.up(value)}h${round(width * 1.2)}` : ''
    })
    .join('')
}

export const allOf = (list: readonly unknown[]): number[] => Array.from(list.keys())
