import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  aligned,
  alignmentOf,
  columnCount,
  movedColumn,
  movedRow,
  parseTable,
  shownCell,
  shownRows,
  tableText,
  type MarkdownTable,
  withCell,
  withColumn,
  withoutColumn,
  withoutRow,
  withRow,
} from './table-source'

const parsed = (source: string): MarkdownTable => parseTable(source) ?? { rows: [] }
const shown = (source: string): string[][] =>
  shownRows(parsed(source)).map(({ cells }) => cells.map(shownCell))

const simple = '| a | b |\n| --- | --: |\n| 1 | 2 |'

test.each<[source: string, cells: string[][]]>([
  [
    simple,
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a|b\n-|-\n1|2\n3', [['a', 'b'], ['1', '2'], ['3']]],
  ['| a |\n|:-:|\n| x \\| y |', [['a'], ['x | y']]],
  [
    '|a|b|\n|-|-|\n||2|',
    [
      ['a', 'b'],
      ['', '2'],
    ],
  ],
  [
    '  | a  |  b\n  |---|---\n  | `c \\| d` | e\\\\',
    [
      ['a', 'b'],
      ['`c | d`', 'e\\\\'],
    ],
  ],
])('%j is taken apart, and is the same again', (source, cells) => {
  expect(shown(source)).toEqual(cells)
  expect(tableText(parsed(source))).toBe(source)
})

test('what is no table is not taken for one', () => {
  expect(parseTable('| a |')).toBeUndefined()
  expect(parseTable('a\n===')).toBeUndefined()
})

test.each<[what: string, change: (table: MarkdownTable) => MarkdownTable, result: string]>([
  ['a cell', (table) => withCell(table, 1, 0, 'x | y\nz'), '| a | b |\n| --- | --: |\n| x \\| y z | 2 |'],
  ['a row after the head', (table) => withRow(table, 0), '| a | b |\n| --- | --: |\n|  |  |\n| 1 | 2 |'],
  ['a row at the end', (table) => withRow(table, 1), '| a | b |\n| --- | --: |\n| 1 | 2 |\n|  |  |'],
  ['no row', (table) => withoutRow(table, 1), '| a | b |\n| --- | --: |'],
  ['rows moved', (table) => movedRow(table, 1, -1), '| 1 | 2 |\n| --- | --: |\n| a | b |'],
  ['a column', (table) => withColumn(table, 0), '| a |  | b |\n| --- | --- | --: |\n| 1 |  | 2 |'],
  ['one column less', (table) => withoutColumn(table, 0), '| b |\n| --: |\n| 2 |'],
  ['columns moved', (table) => movedColumn(table, 0, 1), '| b | a |\n| --: | --- |\n| 2 | 1 |'],
  ['aligned', (table) => aligned(table, 0, 'center'), '| a | b |\n| :-: | --: |\n| 1 | 2 |'],
])('a table with %s', (_, change, result) => {
  expect(tableText(change(parsed(simple)))).toBe(result)
})

test('what cannot be done changes nothing', () => {
  const table = parsed(simple)
  for (const change of [
    withoutRow(table, 0),
    movedRow(table, 0, -1),
    movedRow(table, 1, 1),
    movedColumn(table, 1, 1),
  ])
    expect(tableText(change)).toBe(simple)
  expect(tableText(withoutColumn(parsed('| a |\n| - |'), 0))).toBe('| a |\n| - |')
})

test('the alignment of columns is read', () => {
  const table = parsed('|a|b|c|d|\n|-|:-|:-:|-:|')
  expect([0, 1, 2, 3].map((column) => alignmentOf(table, column))).toEqual([
    undefined,
    'start',
    'center',
    'end',
  ])
})

const row = fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '|', '\\', '`', 'é'), maxLength: 6 }), {
  minLength: 1,
  maxLength: 4,
})

test('any cell can hold any words, and nothing else changes', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 4 }),
      fc.string({ unit: fc.constantFrom('a', '|', 'b', ' '), maxLength: 8 }),
      (rows, words) => {
        const source = ['| a | b |', '| - | - |', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join(
          '\n',
        )
        const table = parsed(source)
        expect(tableText(table)).toBe(source)
        const changed = parsed(tableText(withCell(table, 1, 0, words)))
        const cell = shownRows(changed)[1]?.cells[0]
        expect(cell && shownCell(cell)).toBe(words.trim())
        expect(columnCount(changed)).toBe(2)
        expect(changed.rows.length).toBe(table.rows.length)
      },
    ),
  )
})
