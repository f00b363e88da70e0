/** A cell as it is written, between the spaces around it. */
interface TableCell {
  before: string
  text: string
  after: string
}

interface TableRow {
  /** The text before the first cell: an indent, and a bar where there is one. */
  start: string
  cells: readonly TableCell[]
  /** The text behind the last cell. */
  end: string
}

export type ColumnAlignment = 'start' | 'center' | 'end' | undefined

/** A table as it is written. Its second row holds the dashes that say how columns are aligned. */
export interface MarkdownTable {
  rows: readonly TableRow[]
}

/** Takes a table apart; undefined where it is not written as one. */
export function parseTable(source: string): MarkdownTable | undefined {
  const rows = source.split('\n').map(parseRow)
  const isTable = rows.length >= 2 && (rows[1]?.cells ?? []).every(({ text }) => /^:?-+:?$/.test(text))
  return isTable ? { rows } : undefined
}

export const tableText = ({ rows }: MarkdownTable): string => rows.map(rowText).join('\n')

const rowText = ({ start, cells, end }: TableRow): string =>
  start + cells.map(({ before, text, after }) => before + text + after).join('|') + end

function parseRow(line: string): TableRow {
  const pieces = splitAtBars(line)
  const opens = pieces.length > 1 && pieces[0]?.trim() === ''
  const start = opens ? `${pieces.shift()}|` : ''
  const closes = pieces.length > 1 && pieces.at(-1)?.trim() === ''
  const end = closes ? `|${pieces.pop()}` : ''
  return { start, cells: pieces.map(parseCell), end }
}

/** A bar behind a backslash is a letter of its cell. */
function splitAtBars(line: string): string[] {
  const pieces = ['']
  for (const [letters] of line.matchAll(/\\[\s\S]|[\s\S]/g)) {
    if (letters === '|') pieces.push('')
    else pieces[pieces.length - 1] += letters
  }
  return pieces
}

function parseCell(written: string): TableCell {
  const text = written.trim()
  if (text === '') return { before: written, text, after: '' }
  const begin = written.indexOf(text)
  return { before: written.slice(0, begin), text, after: written.slice(begin + text.length) }
}

/** The words of a cell, with bars as bars. */
export const shownCell = ({ text }: TableCell): string =>
  text.replaceAll(/\\([\\|])/g, (written, letter: string) => (letter === '|' ? letter : written))

const writtenCell = (shown: string): string =>
  shown
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/(\\*)\|/g, (_, slashes: string) => `${slashes}${slashes.length % 2 === 0 ? '\\' : ''}|`)

/** The rows that are seen: all but the dashes. */
export const shownRows = ({ rows }: MarkdownTable): readonly TableRow[] => rows.toSpliced(1, 1)

export const columnCount = ({ rows }: MarkdownTable): number => rows[0]?.cells.length ?? 0

export function alignmentOf({ rows }: MarkdownTable, column: number): ColumnAlignment {
  const dashes = rows[1]?.cells[column]?.text ?? ''
  if (dashes.startsWith(':') && dashes.endsWith(':')) return 'center'
  if (dashes.endsWith(':')) return 'end'
  return dashes.startsWith(':') ? 'start' : undefined
}

const dashesFor = { start: ':--', center: ':-:', end: '--:' }

/** `row` counts those that are seen. */
const writtenIndex = (row: number): number => (row === 0 ? 0 : row + 1)

const emptyCell: TableCell = { before: ' ', text: '', after: ' ' }

/** Rows may be written with fewer cells than the head has. */
const filled = (cells: readonly TableCell[], count: number): readonly TableCell[] =>
  cells.length >= count ? cells : [...cells, ...Array.from({ length: count - cells.length }, () => emptyCell)]

/** Writes a cell anew; everything else of the table stays as it is written. */
export function withCell(table: MarkdownTable, row: number, column: number, shown: string): MarkdownTable {
  const at = writtenIndex(row)
  const changed = changeRow(table, at, (cells) =>
    filled(cells, column + 1).map((cell, index) => (index === column ? cellOf(cell, shown) : cell)),
  )
  return { rows: changed.rows.map((one, index) => (index === at ? visible(one) : one)) }
}

function cellOf(cell: TableCell, shown: string): TableCell {
  const text = writtenCell(shown).trim()
  const before = cell.text === '' ? cell.before || ' ' : cell.before
  // a backslash would take the bar behind it for a letter
  const needsSpace = cell.text === '' || text.endsWith('\\')
  return { before, text, after: needsSpace ? cell.after || ' ' : cell.after }
}

/** A row without words and bars would be an empty line, which ends the table. */
const visible = (row: TableRow): TableRow => (rowText(row).trim() === '' ? { ...row, ...framed(row) } : row)

const changeRow = (
  { rows }: MarkdownTable,
  at: number,
  change: (cells: readonly TableCell[]) => readonly TableCell[],
): MarkdownTable => ({
  rows: rows.map((row, index) => (index === at ? { ...row, cells: change(row.cells) } : row)),
})

const changeRows = (
  { rows }: MarkdownTable,
  change: (cells: readonly TableCell[], index: number) => readonly TableCell[],
): MarkdownTable => ({ rows: rows.map((row, index) => ({ ...row, cells: change(row.cells, index) })) })

export function withRow(table: MarkdownTable, row: number): MarkdownTable {
  const like = table.rows[0]
  if (!like) return table
  const added = { ...framed(like), cells: filled([], columnCount(table)) }
  return { rows: table.rows.toSpliced(writtenIndex(row) + (row === 0 ? 2 : 1), 0, added) }
}

/** A row of empty cells needs bars around it to be one. */
const framed = ({ start }: TableRow): Pick<TableRow, 'start' | 'end'> => ({
  start: start.includes('|') ? start : `${start}|`,
  end: '|',
})

/** The head stays: a table has one. */
export const withoutRow = ({ rows }: MarkdownTable, row: number): MarkdownTable =>
  row === 0 ? { rows } : { rows: rows.toSpliced(writtenIndex(row), 1) }

/** Swaps a row with a neighbour; the head changes its words with the first row. */
export function movedRow(table: MarkdownTable, row: number, by: -1 | 1): MarkdownTable {
  const [one, other] = [table.rows[writtenIndex(row)], table.rows[writtenIndex(row + by)]]
  if (!one || !other || row + by < 0) return table
  const rows = table.rows.map((at) => (at === one ? other : at === other ? one : at))
  return { rows }
}

export const withColumn = (table: MarkdownTable, column: number): MarkdownTable =>
  changeRows(table, (cells, index) => {
    const added = index === 1 ? { before: ' ', text: '---', after: ' ' } : emptyCell
    return filled(cells, column + 1).toSpliced(column + 1, 0, added)
  })

export const withoutColumn = (table: MarkdownTable, column: number): MarkdownTable =>
  columnCount(table) < 2 ? table : changeRows(table, (cells) => cells.toSpliced(column, 1))

export function movedColumn(table: MarkdownTable, column: number, by: -1 | 1): MarkdownTable {
  const to = column + by
  if (to < 0 || to >= columnCount(table)) return table
  return changeRows(table, (cells) => {
    const all = filled(cells, columnCount(table))
    const moved = all.slice(column, column + 1)
    return all.toSpliced(column, 1).toSpliced(to, 0, ...moved)
  })
}

export const aligned = (table: MarkdownTable, column: number, alignment: ColumnAlignment): MarkdownTable =>
  changeRow(table, 1, (cells) =>
    cells.map((cell, index) =>
      index === column ? { ...cell, text: alignment ? dashesFor[alignment] : '---' } : cell,
    ),
  )
