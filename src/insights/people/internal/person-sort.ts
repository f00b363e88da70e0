import { z } from 'zod'

const sortedColumns = ['last', 'first', 'events'] as const
type SortedColumn = (typeof sortedColumns)[number]

const propertyPrefix = 'property:'

/** The name of a property that persons are sorted by; undefined for other columns. */
export const sortedProperty = (sort: string): string | undefined =>
  sort.startsWith(propertyPrefix) ? sort.slice(propertyPrefix.length) : undefined

/** A column of a list of persons, by which it is sorted: one of three, or a property of the person. */
export const personSort = z
  .string()
  .max(220)
  .refine(
    (sort): sort is PersonSort => sortedColumns.some((one) => one === sort) || Boolean(sortedProperty(sort)),
    'Sort by last, first, events, or property: with the name of a property.',
  )
export type PersonSort = SortedColumn | `property:${string}`
