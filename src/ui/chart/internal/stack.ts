import type { Amount } from '../chart'
import { isKnown } from './axis'

/** From where to where an amount is drawn. */
export type Extent = { from: number; to: number }

export type Extents = readonly (Extent | null)[]

/** Each from zero. */
export const fromZero = (values: readonly Amount[]): Extents =>
  values.map((value) => (isKnown(value) ? { from: 0, to: value } : null))

/** On top of each other: what is above zero upwards, what is below it downwards. */
export function stack(rows: readonly (readonly Amount[])[]): Extents[] {
  const above: number[] = []
  const below: number[] = []
  return rows.map((values) =>
    values.map((value, index) => {
      if (!isKnown(value)) return null
      const heap = value < 0 ? below : above
      const from = heap[index] ?? 0
      heap[index] = from + value
      return { from, to: from + value }
    }),
  )
}

/** The ends of all of them, for an axis to hold. */
export const extentsAll = (extents: readonly Extents[]): number[] =>
  extents.flatMap((each) => each.flatMap((extent) => (extent ? [extent.to] : [])))

/** A stack has no holes: what is unknown adds nothing, or the areas above it would fall apart. */
export const withoutHoles = (values: readonly Amount[]): Amount[] => values.map((value) => value ?? 0)
