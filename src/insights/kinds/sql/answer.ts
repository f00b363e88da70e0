import type { UserQueryResult } from '#engine/user-query'
import type { AnswerColumn, AnswerTable, AnswerCell } from '../../kind'

/** Rows from the engine; numbers that are too large are texts. */
export type SqlAnswer = UserQueryResult

export const tableOf = ({ columns, rows }: SqlAnswer): AnswerTable => ({
  columns: columns.map(({ name, type }) => ({ name, as: shownAs(type) })),
  rows: rows.map((cells) => cells.map(cellOf)),
})

/** Formats lists and maps as JSON. */
function cellOf(value: unknown): AnswerCell {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}

function shownAs(type: string): AnswerColumn['as'] {
  const plain = type
    .replace(/^(?:LowCardinality|Nullable)\((.*)\)$/, '$1')
    .replace(/^Nullable\((.*)\)$/, '$1')
  if (/^(U?Int|Float|BFloat|Decimal)\d*/.test(plain)) return 'number'
  return plain.startsWith('DateTime') ? 'date' : 'text'
}
