import type { AnswerTable, Cell } from './kind'

/** An answer as a file that every spreadsheet opens: RFC 4180, with a mark that it is UTF-8. */
export function csvOf({ columns, rows }: AnswerTable): string {
  const lines = [columns.map(({ name }) => name), ...rows].map((cells) => cells.map(written).join(','))
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join('')}`
}

function written(cell: Cell): string {
  if (cell === null) return ''
  const text = typeof cell === 'number' ? String(cell) : defused(cell)
  // what other spreadsheets divide cells by is quoted as well: the rest of a text must not become a cell of its own
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets run texts that begin like this, after spaces too, and anybody can send such a text as a page or a name. */
const defused = (text: string): string => (/^ *[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)
