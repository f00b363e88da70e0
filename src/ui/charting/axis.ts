import type { Amount, AxisChart, Series } from '../chart'
import type { Unit } from '../format'
import { ticks, type Ticks } from './ticks'

/** Two decimals are a hundredth of a pixel or so, and the same in the server's markup and the browser's. */
export const round = (coordinate: number): number => Math.round(coordinate * 100) / 100 || 0

/** Amounts upwards, in percent of the height from the top. */
export type UpAxis = Ticks & { up: (amount: number) => number }

export function upAxis(amounts: Iterable<number>, unit?: Unit, wanted?: number): UpAxis {
  const found = ticks(amounts, unit, wanted)
  return { ...found, up: (amount) => round((1 - (amount - found.min) / (found.max - found.min)) * 100) }
}

/** Points along, in percent of the width: lines reach from edge to edge, bars stand in the middle of their band. */
export type Along = { at: (place: number) => number; band: number }

export const alongLine = (count: number): Along => ({
  at: (place) => (count < 2 ? 50 : round((place / (count - 1)) * 100)),
  band: 0,
})

export const alongBands = (count: number): Along => ({
  at: (place) => round(((place + 0.5) / count) * 100),
  band: 100 / Math.max(count, 1),
})

/** Everything that has to fit on the axis. */
export function* amountsOf(
  series: readonly Pick<Series, 'values' | 'compared'>[],
  guides: AxisChart['guides'] = [],
): Generator<number> {
  for (const { values, compared = [] } of series) {
    yield* known(values)
    yield* known(compared)
  }
  for (const { value } of guides) yield value
}

export const known = (amounts: readonly Amount[]): number[] => amounts.filter(isKnown)

export const isKnown = (amount: Amount | undefined): amount is number =>
  amount !== null && amount !== undefined && Number.isFinite(amount)
