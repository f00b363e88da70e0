import type { EventColumns } from '#events/event'
import type { StoredLiveEvent } from '#events/live-event'
import { propertyLabel, standardProperties, standardProperty, trafficLabels } from '#events/taxonomy'
import { codeOfValues, valueName } from '#events/value-names'
import { duration, money, number, percent } from '#ui/format'

/** A fact about an event, as people read it. */
export interface Fact {
  /** The name it is asked for by. */
  name: string
  label: string
  value: string
  /** Has lines of its own. */
  isLong: boolean
}

type Columns = Partial<EventColumns>

/** Columns whose display differs from their stored value. */
const columnFormatters: { [Column in keyof EventColumns]?: (columns: Columns) => string } = {
  traffic: ({ traffic }) => (traffic ? trafficLabels[traffic] : ''),
  country: ({ country = '' }) => named('$geoip_country_code', country),
  language: ({ language = '' }) => named('$browser_language', language),
  engaged_ms: ({ engaged_ms = 0 }) => duration(engaged_ms),
  scroll_depth: ({ scroll_depth = 0 }) => percent(scroll_depth / 100),
  revenue: ({ revenue = 0, currency }) => (currency ? formatMoney(revenue, currency) : number(revenue)),
}

/** A fact without a value is left out. */
const named = (key: string, value: string): string => (value === '' ? '' : valueName(key, value))

/** Currencies come from clients and may be invalid. */
function formatMoney(amount: number, currency: string): string {
  try {
    return money(amount, currency)
  } catch {
    return `${number(amount)} ${currency}`
  }
}

/** The values of the columns, in the order that every project has them. */
export function columnFacts({ columns }: StoredLiveEvent): Fact[] {
  return Object.entries(standardProperties).flatMap(([name, property]) => {
    const column = 'column' in property ? property.column : undefined
    const value = column && formatColumn(column, columns)
    return value ? [{ name, label: property.label, value, isLong: false }] : []
  })
}

function formatColumn(column: keyof EventColumns, columns: Columns): string {
  const value = columns[column]
  if (value === undefined || value === '') return ''
  return columnFormatters[column]?.(columns) ?? String(value)
}

/** The event's other properties, by label. */
export const propertyFacts = ({ properties }: StoredLiveEvent): Fact[] =>
  Object.entries(properties)
    .map(([name, text]) => ({ name, label: propertyLabel(name), ...valueOf(name, text) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))

/** Lists and objects are kept as JSON, and read better with lines. */
function valueOf(name: string, text: string): Pick<Fact, 'value' | 'isLong'> {
  const code = codeOfValues(name)
  if (code && text !== '') return { value: valueName(name, text), isLong: false }
  const isNested = /^[[{]/.test(text) && standardProperty(name)?.type !== 'text'
  const parsed = isNested ? parseJsonOr(text) : text
  return { value: parsed, isLong: parsed !== text }
}

function parseJsonOr(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
