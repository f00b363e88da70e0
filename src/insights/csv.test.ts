import { expect, test } from 'vitest'
import { csvOf } from './csv'
import type { AnswerCell } from './kind'

const fileWith = (...cells: AnswerCell[]) =>
  csvOf({ columns: cells.map((_, place) => ({ name: `c${place}`, as: 'text' })), rows: [cells] })
    .replace('\uFEFF', '')
    .split('\r\n')[1]

test.each([
  // a cell                    what stands in the file
  ['plain', 'plain'],
  [12.5, '12.5'],
  [-3, '-3'],
  [null, ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['=1+1', `'=1+1`],
  ['+49 30', `'+49 30`],
  ['-2+3', `'-2+3`],
  ['@SUM(A1)', `'@SUM(A1)`],
  ['\t=1', `"'\t=1"`],
  [' =1', `' =1`],
  ['\n=1', `"'\n=1"`],
  ['a;=1', '"a;=1"'],
  ['＝1+1', `'＝1+1`],
  ['＋1', `'＋1`],
  ['－1', `'－1`],
  ['＠SUM(A1)', `'＠SUM(A1)`],
  ['﹦1', `'﹦1`],
  ['−1', `'−1`],
  ['\u00a0=1', `'\u00a0=1`],
  ['\u3000＝1', `'\u3000＝1`],
  ['\u200b=1', `'\u200b=1`],
  ['a＝b', 'a＝b'],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['mail@example.com', 'mail@example.com'],
  ['日本語', '日本語'],
])('%j', (cell, wanted) => {
  expect(fileWith(cell)).toBe(wanted)
})

test('a return inside a cell is quoted, and defused at its beginning', () => {
  const file = csvOf({ columns: [{ name: 'page', as: 'text' }], rows: [['\r=1']] })

  expect(file).toBe(`\uFEFFpage\r\n"'\r=1"\r\n`)
})

test('a CSV file says that it is UTF-8, and ends every line', () => {
  expect(csvOf({ columns: [{ name: '=evil', as: 'text' }], rows: [] })).toBe(`\uFEFF'=evil\r\n`)
})
