import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** Compares a section of a page in docs; with TILTH_PRINT_TABLES set, writes it instead. */
export function expectPrintedTable(section: string, table: string, page = 'authorization.md'): void {
  const file = join(import.meta.dirname, '../../docs', page)
  const [begin, end] = [`<!-- ${section}: begin -->`, `<!-- ${section}: end -->`]
  const text = readFileSync(file, 'utf8')
  const [from, until] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || until < from) throw new Error(`docs/${page} has no table between ${begin} and ${end}.`)
  if (process.env['TILTH_PRINT_TABLES']) {
    writeFileSync(file, `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(until)}`)
    return
  }
  expect(text.slice(from + begin.length, until).trim()).toBe(table)
}

/** A Markdown table. The formatter leaves Markdown as it is. */
export function tableOf(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length), 3))
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}
