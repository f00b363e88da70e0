import { identifier, type Sql, sql, string } from '../engine/sql'
import type { EventColumns } from '../events/event'
import { standardProperties, type StandardProperty } from '../events/taxonomy'
import type { Column } from '../filters/filter'
import { numberIn } from '../filters/numbers'

const standard = new Map<string, StandardProperty>(Object.entries(standardProperties))

const numberColumns: ReadonlySet<string> = new Set<keyof EventColumns>([
  'revenue',
  'engaged_ms',
  'scroll_depth',
])

const columnNames = [...standard.values()].flatMap(({ column }) => (column ? [column] : []))

/** What belongs to the event itself and is none of its properties. */
const ownColumns: ReadonlyMap<string, Column> = new Map([
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

/** Where a property of an event stands in the table. */
export const eventProperty = (key: string): Column =>
  columnOfItsOwn(key) ?? amongProperties(sql`properties[${string(key)}]`, key)

/** Undefined for what is kept among others, in a map. */
export function columnOfItsOwn(key: string): Column | undefined {
  const own = ownColumns.get(key)
  if (own) return own
  const column = standard.get(key)?.column
  return column && standardColumn(column)
}

function standardColumn(column: keyof EventColumns): Column {
  const name = identifier(column, columnNames)
  if (!numberColumns.has(column)) return { text: sql`toString(${name})`, isSet: sql`(${name} != '')` }
  return { text: sql`toString(${name})`, isSet: sql`(${name} != 0)`, number: sql`toFloat64(${name})` }
}

/** The engine keeps which keys are there with nothing in them: to look for a key among all of them takes twice as long. */
export const amongProperties = (text: Sql, key: string): Column => ({
  text,
  number: numberIn(text),
  isSet: sql`(${text} != '' or has(empty_keys, ${string(key)}))`,
})

/** Of what sits in a map beside others: the properties nobody knew before. */
export function inMap(map: Sql, key: string): Column {
  const name = string(key)
  const text = sql`${map}[${name}]`
  return { text, isSet: sql`mapContains(${map}, ${name})`, number: numberIn(text) }
}

/** As a number, where the text is one; null otherwise. */
export const asNumber = ({ text, number, isSet }: Column): Sql =>
  sql`if(${isSet}, ${number ?? numberIn(text)}, null)`
