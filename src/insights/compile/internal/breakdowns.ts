import { float, type Sql, sql, string, strings, uints } from '#engine/sql'
import type { FilterColumn } from '#filters/filter'
import type { Events } from './events'
import { asNumber } from './properties'
import type { Breakdown } from '../../query-fields'
import type { QueryScope } from '../../scope'

/** One value for each breakdown of a query; null if the property was absent. */
export type BreakdownValues = (string | null)[]

/** The least and the greatest number of a property; undefined if no value is a number. */
interface NumberRange {
  least: number
  most: number
}

/** For each breakdown with bins, the range of its numbers. */
export type BreakdownRanges = readonly (NumberRange | undefined)[]

type PropertyBreakdown = Exclude<Breakdown, { type: 'cohort' }>

/**
 * The group key of an event: one text for all breakdowns together, or several if a person may be in several cohorts. It
 * is an expression on the columns of `events.rows()`; create it before them.
 */
export interface BreakdownKey {
  key: Sql
  isList: boolean
}

export function breakdownKey(
  breakdowns: readonly Breakdown[],
  events: Events,
  scope: QueryScope,
  ranges: BreakdownRanges,
): BreakdownKey {
  const cuts = breakdowns.map((breakdown, i) =>
    breakdown.type === 'cohort'
      ? byCohort(breakdown.cohorts, scope)
      : { key: keyOf(breakdown, events, ranges[i]), isList: false },
  )
  const [only, ...more] = cuts
  if (!only) return { key: sql`''`, isList: false }
  return more.length === 0 ? only : cuts.map(withLength).reduce(combineKeys)
}

/** Returns one row for each key of an event. */
export const expandedKey = ({ key, isList }: BreakdownKey): Sql => (isList ? sql`arrayJoin(${key})` : key)

/**
 * Returns the index of an event's key in a list, from 1, and 0 for keys that are not listed. A person in several
 * cohorts has several rows, but only one with index 0.
 */
export function indexOfKey({ key, isList }: BreakdownKey, keys: readonly string[]): Sql {
  if (keys.length === 0) return sql`toUInt64(0)`
  const placed = (one: Sql) =>
    sql`transform(${one}, ${strings(keys)}, ${uints(keys.map((_, i) => i + 1))}, toUInt64(0))`
  return isList ? sql`arrayJoin(arrayDistinct(arrayMap(one -> ${placed(sql`one`)}, ${key})))` : placed(key)
}

/** Returns the values of a key, for people. */
export function valuesOfKey(
  key: string,
  breakdowns: readonly Breakdown[],
  ranges: BreakdownRanges,
): BreakdownValues {
  const parts = breakdowns.length > 1 ? splitKey(key) : [key]
  return breakdowns.map((breakdown, i) => {
    const part = parts[i] ?? ''
    if (part === '') return null
    const bins = breakdown.type === 'cohort' ? undefined : breakdown.bins
    const range = ranges[i]
    return bins && range ? binLabel(Number(part.slice(1)), bins, range) : part.slice(1)
  })
}

/** Returns an empty key for an absent property, which differs from an empty text. */
function keyOf(breakdown: PropertyBreakdown, events: Events, range: NumberRange | undefined): Sql {
  const column = events.property(breakdown)
  if (breakdown.bins !== undefined) return binOf(column, breakdown.bins, range)
  return sql`if(${column.isSet}, concat('=', ${column.text}), '')`
}

function binOf(column: FilterColumn, bins: number, range: NumberRange | undefined): Sql {
  if (!range) return sql`''`
  const number = finite(column)
  const bin = sql`floor((${number} - ${float(range.least)}) / ${float(widthOf(range, bins))})`
  return sql`if(${number} is null, '', concat('=', toString(least(${bin}, ${float(bins - 1)}))))`
}

const finite = (column: FilterColumn): Sql => {
  const number = asNumber(column)
  return sql`if(isFinite(${number}), ${number}, null)`
}

/** If all numbers are equal, they are all in the first bin. */
const widthOf = ({ least, most }: NumberRange, bins: number): number => (most - least) / bins || 1

function binLabel(bin: number, bins: number, range: NumberRange): string {
  const edge = (i: number) => Number((range.least + i * widthOf(range, bins)).toPrecision(6))
  return `${edge(bin)} – ${edge(bin + 1)}`
}

/**
 * Selects the least and the greatest number of each breakdown with bins, as columns `least_0`, `most_0` …: see
 * `rangesIn`.
 */
export function rangeColumns(breakdowns: readonly Breakdown[], events: Events): Sql | undefined {
  const numbers = breakdowns.flatMap((breakdown) =>
    breakdown.type !== 'cohort' && breakdown.bins !== undefined ? [finite(events.property(breakdown))] : [],
  )
  if (numbers.length === 0) return undefined
  return sql`[${sql.join(numbers.map((number) => sql`(min(${number}), max(${number}))`))}] as ranges`
}

export interface BreakdownRangeRow {
  ranges: [least: number | null, most: number | null][]
}

/** Converts the engine's row to one range for each breakdown. */
export function rangesIn(
  breakdowns: readonly Breakdown[],
  rows: readonly BreakdownRangeRow[],
): BreakdownRanges {
  let at = 0
  return breakdowns.map((breakdown) => {
    if (breakdown.type === 'cohort' || breakdown.bins === undefined) return undefined
    const here = at++
    return widest(rows.map(({ ranges }) => ranges[here]))
  })
}

function widest(
  pairs: readonly (BreakdownRangeRow['ranges'][number] | undefined)[],
): NumberRange | undefined {
  const known = pairs.flatMap((pair) => pair ?? []).filter((edge) => edge !== null)
  return known.length > 0 ? { least: Math.min(...known), most: Math.max(...known) } : undefined
}

function byCohort(ids: readonly string[], scope: QueryScope): BreakdownKey {
  const keys = ids.flatMap((id) => {
    const members = scope.cohort(id)
    return members ? [sql`if(person in (${members}), ${string(`=${id}`)}, '')`] : []
  })
  if (keys.length === 0) return { key: sql`['']`, isList: true }
  const found = sql`arrayFilter(one -> one != '', [${sql.join(keys)}])`
  return { key: sql`if(empty(${found}), [''], ${found})`, isList: true }
}

/** Prefixes a key with its length, so that joined keys can be split again. */
function withLength({ key, isList }: BreakdownKey): BreakdownKey {
  const measured = (one: Sql) => sql`concat(toString(lengthUTF8(${one})), ':', ${one})`
  return isList
    ? { key: sql`arrayMap(part -> ${measured(sql`part`)}, ${key})`, isList }
    : { key: measured(key), isList }
}

function combineKeys(one: BreakdownKey, other: BreakdownKey): BreakdownKey {
  if (!one.isList && !other.isList) return { key: sql`concat(${one.key}, ${other.key})`, isList: false }
  const list = ({ key, isList }: BreakdownKey) => (isList ? key : sql`[${key}]`)
  const each = sql`arrayMap(head -> arrayMap(tail -> concat(head, tail), ${list(other)}), ${list(one)})`
  return { key: sql`arrayFlatten(${each})`, isList: true }
}

/** Splits by code points, as the engine counts characters, not by UTF-16 units. */
function splitKey(key: string): string[] {
  const parts: string[] = []
  for (let rest = key; rest.length > 0;) {
    const [, length = '0', after = ''] = /^(\d+):(.*)$/s.exec(rest) ?? []
    const characters = Array.from(after)
    parts.push(characters.slice(0, Number(length)).join(''))
    rest = characters.slice(Number(length)).join('')
  }
  return parts
}
