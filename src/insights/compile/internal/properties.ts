import { identifier, type Sql, sql, string } from '#engine/sql'
import type { EventColumns } from '#events/event'
import { standardProperties, type StandardProperty } from '#events/taxonomy'
import type { FilterColumn } from '#filters/filter'
import { numberIn } from '#filters/numbers'

const standard = new Map<string, StandardProperty>(Object.entries(standardProperties))

const numberColumns: ReadonlySet<string> = new Set<keyof EventColumns>([
  'revenue',
  'engaged_ms',
  'scroll_depth',
])

const columnNames = [...standard.values()].flatMap(({ column }) => (column ? [column] : []))

/** Columns of the event that are not properties. */
const ownColumns: ReadonlyMap<string, FilterColumn> = new Map([
  ['distinct_id', { text: sql`distinct_id`, isSet: sql`(distinct_id != '')` }],
  [
    '$session_id',
    {
      text: sql`toString(session_id)`,
      isSet: sql`(session_id != toUUID('00000000-0000-0000-0000-000000000000'))`,
    },
  ],
  ['$event', { text: sql`toString(event)`, isSet: sql`true` }],
])

/** Returns the column of a property of an event. */
export const eventProperty = (key: string): FilterColumn =>
  columnOfItsOwn(key) ?? amongProperties(sql`properties[${string(key)}]`, key)

/** Returns undefined for properties that are stored in the map. */
export function columnOfItsOwn(key: string): FilterColumn | undefined {
  const own = ownColumns.get(key)
  if (own) return own
  const column = standard.get(key)?.column
  return column && standardColumn(column)
}

function standardColumn(column: keyof EventColumns): FilterColumn {
  const name = identifier(column, columnNames)
  if (!numberColumns.has(column)) return { text: sql`toString(${name})`, isSet: sql`(${name} != '')` }
  return { text: sql`toString(${name})`, isSet: sql`(${name} != 0)`, number: sql`toFloat64(${name})` }
}

/**
 * Resolves a property of the map. `empty_keys` lists the keys with empty values: a lookup in all keys takes twice as
 * long.
 */
export const amongProperties = (text: Sql, key: string): FilterColumn => ({
  text,
  number: numberIn(text),
  isSet: sql`(${text} != '' or has(empty_keys, ${string(key)}))`,
})

/** Reads a property of a map: those without a column of their own. */
export function inMap(map: Sql, key: string): FilterColumn {
  const name = string(key)
  const text = sql`${map}[${name}]`
  return { text, isSet: sql`mapContains(${map}, ${name})`, number: numberIn(text) }
}

/** Returns the value as a number; null if the text is none. */
export const asNumber = ({ text, number, isSet }: FilterColumn): Sql =>
  sql`if(${isSet}, ${number ?? numberIn(text)}, null)`
