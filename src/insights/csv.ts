import type { AnswerTable, AnswerCell } from './kind'

/** An answer as a file that every spreadsheet opens: RFC 4180, with a mark that it is UTF-8. */
export function csvOf({ columns, rows }: AnswerTable): string {
  const lines = [columns.map(({ name }) => name), ...rows].map((cells) => cells.map(written).join(','))
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join('')}`
}

function written(cell: AnswerCell): string {
  if (cell === null) return ''
  const text = typeof cell === 'number' ? String(cell) : escapeFormula(cell)
  // separators of other spreadsheets are quoted as well, so that no text is split into cells
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Spreadsheets run texts that begin with one of these signs, full-width and other forms of them included, also after
 * spaces and characters without width; and visitors can send such a text as a page or a name.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function escapeFormula(text: string): string {
  const [first = ''] = text.replace(/^[\p{Z}\p{Cf}]+/u, '')
  return /^[=+\-@\t\r\n\u2212]/.test(first.normalize('NFKC')) ? `'${text}` : text
}
