import { headingOf } from './approximation'
import type { AnswerTable, AnswerCell } from './kind'

/** Formats an answer as a file for every spreadsheet: RFC 4180, with a byte order mark for UTF-8. */
export function csvOf({ columns, rows }: AnswerTable): string {
  return csvMark + [columns.map(headingOf), ...rows].map(csvLine).join('')
}

/** Tells spreadsheets that the file is UTF-8. */
export const csvMark = '\uFEFF'

/** Writes one line, for files that are written as they are read. */
export const csvLine = (cells: readonly AnswerCell[]): string => `${cells.map(written).join(',')}\r\n`

function written(cell: AnswerCell): string {
  if (cell === null) return ''
  const text = typeof cell === 'number' ? String(cell) : escapeFormula(cell)
  // separators of other spreadsheets are quoted too, so that no text is split into cells
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Spreadsheets run texts that begin with one of these characters, including full-width forms and after invisible
 * characters. Visitors can send such a text as a page or a name. https://owasp.org/www-community/attacks/CSV_Injection
 */
function escapeFormula(text: string): string {
  const [first = ''] = text.replace(/^[\p{Z}\p{Cf}]+/u, '')
  return /^[=+\-@\t\r\n\u2212]/.test(first.normalize('NFKC')) ? `'${text}` : text
}
