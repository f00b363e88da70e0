import type { Amount, AxisChart, Series } from '../chart'
import type { Unit } from '#ui/format'
import { ticks, type Ticks } from './ticks'

/** Two decimals are a hundredth of a pixel or so, and the same in the server's markup and the browser's. */
export const round = (coordinate: number): number => Math.round(coordinate * 100) / 100 || 0

/** Amounts upwards, in percent of the height from the top. */
export type UpAxis = Ticks & { up: (amount: number) => number }

export function upAxis(amounts: Iterable<number>, unit?: Unit, tickCount?: number): UpAxis {
  const found = ticks(amounts, unit, tickCount)
  return { ...found, up: (amount) => round((1 - (amount - found.min) / (found.max - found.min)) * 100) }
}

/** Points along, in percent of the width: lines reach from edge to edge, bars stand in the middle of their band. */
export type AlongAxis = { at: (place: number) => number; band: number }

export const alongLine = (count: number): AlongAxis => ({
  at: (index) => (count < 2 ? 50 : round((index / (count - 1)) * 100)),
  band: 0,
})

export const alongBands = (count: number): AlongAxis => ({
  at: (index) => round(((index + 0.5) / count) * 100),
  band: 100 / Math.max(count, 1),
})

/** The amounts that have to fit on the axis. */
export function* amountsOf(
  series: readonly Pick<Series, 'values' | 'compared' | 'bounds'>[],
  guides: AxisChart['guides'] = [],
): Generator<number> {
  for (const { values, compared = [], bounds = [] } of series) {
    yield* knownAmounts(values)
    yield* knownAmounts(compared)
    for (const ends of bounds) if (ends) yield* ends
  }
  for (const { value } of guides) yield value
}

export const knownAmounts = (amounts: readonly Amount[]): number[] => amounts.filter(isKnown)

export const isKnown = (amount: Amount | undefined): amount is number =>
  amount !== null && amount !== undefined && Number.isFinite(amount)
