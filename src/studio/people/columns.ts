import { propertyLabel } from '#events/taxonomy'

/** The columns of persons that are no properties. */
export const fixedColumns = [
  { key: 'country', label: 'Country' },
  { key: 'source', label: 'Source' },
  { key: 'page', label: 'Last page' },
  { key: 'last', label: 'Last seen' },
  { key: 'first', label: 'First seen' },
  { key: 'events', label: 'Events' },
  { key: 'id', label: 'Distinct id' },
] as const

const propertyPrefix = 'property:'
const mostColumns = 12

export const usualColumns: readonly string[] = ['country', 'source', 'page', 'last']

export const columnOfProperty = (property: string): string => propertyPrefix + property

export const propertyOfColumn = (column: string): string | undefined =>
  column.startsWith(propertyPrefix) ? column.slice(propertyPrefix.length) : undefined

export function columnLabel(column: string): string {
  const property = propertyOfColumn(column)
  return property === undefined
    ? (fixedColumns.find(({ key }) => key === column)?.label ?? column)
    : propertyLabel(property)
}

const isColumn = (column: string): boolean =>
  fixedColumns.some(({ key }) => key === column) || Boolean(propertyOfColumn(column))

/** Columns as the address and the cookie have them: names between commas. */
export const columnsText = (columns: readonly string[]): string => columns.map(encodeURIComponent).join(',')

/** Ignores what is no column; undefined if none is left. */
export function columnsIn(text: string | undefined): string[] | undefined {
  const columns = (text ?? '').split(',').map(decoded).filter(isColumn)
  const chosen = [...new Set(columns)].slice(0, mostColumns)
  return chosen.length > 0 ? chosen : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** The cookie that remembers the columns of this browser; its path is the project's own. */
export const columnsCookie = 'people-columns'
