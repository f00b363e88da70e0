'use client'

import { clsx } from 'clsx'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '#ui/Button'
import { isAppleKeyboard, isPressed } from '#ui/keyboard/keys'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { shownText } from './block-document'
import type { BlockProps } from './BlockRow'
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

interface CellPlace {
  row: number
  column: number
}

/** A table as a grid of fields; only what is changed in it is written anew. */
export function TableBlock({ block, name, isActive, actions }: BlockProps) {
  const table = parseTable(shownText(block)) ?? { rows: [] }
  const [current, setCurrent] = useState<CellPlace>({ row: 0, column: 0 })
  const grid = useRef<HTMLTableElement>(null)
  const write = (next: MarkdownTable) => actions.type(block.id, tableText(next), 0)
  const focusCell = ({ row, column }: CellPlace) =>
    grid.current?.rows[row]?.cells[column]?.querySelector('input')?.focus()
  const rows = shownRows(table)
  const columns = Array.from({ length: columnCount(table) }, (_, column) => column)

  function press(event: KeyboardEvent, { row, column }: CellPlace) {
    const is = (keys: string) => isPressed(keys, event.nativeEvent, isAppleKeyboard())
    const by = is('arrowup') ? -1 : is('arrowdown') || is('enter') ? 1 : 0
    if (is('mod+z')) actions.undo()
    else if (is('mod+shift+z') || is('mod+y')) actions.redo()
    else if (is('mod+enter')) actions.begin(block.id)
    else if (is('alt+shift+arrowup')) actions.moveBy(block.id, -1)
    else if (is('alt+shift+arrowdown')) actions.moveBy(block.id, 1)
    else if (by !== 0 && rows[row + by]) focusCell({ row: row + by, column })
    else if (by !== 0) actions.walk(block.id, by)
    else return
    event.preventDefault()
  }

  return (
    <div className="min-w-0 grow">
      <div className="overflow-x-auto rounded-md border border-line bg-surface">
        <table ref={grid} aria-label={name} className="w-full border-collapse text-sm">
          <tbody>
            {rows.map(({ cells }, row) => (
              // rows have no name but their place
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={row} className="border-b border-line last:border-0">
                {columns.map((column) => (
                  <td key={column} className="min-w-28 border-e border-line p-0 last:border-0">
                    <input
                      data-block-field={row === 0 && column === 0 ? block.id : undefined}
                      aria-label={`Row ${row + 1}, column ${column + 1}`}
                      dir="auto"
                      value={cellText(cells, column)}
                      className={clsx(
                        'w-full bg-transparent px-2.5 py-1.5 text-ink outline-none focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus',
                        row === 0 && 'font-semibold',
                        alignClass[alignmentOf(table, column) ?? 'start'],
                      )}
                      onFocus={() => {
                        setCurrent({ row, column })
                        actions.enter(block.id)
                      }}
                      onChange={({ target }) => write(withCell(table, row, column, target.value))}
                      onKeyDown={(event) => press(event, { row, column })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isActive && (
        <div className="flex flex-wrap gap-1.5 pt-1.5">
          <Menu
            trigger={<Button size="sm">{`Row ${current.row + 1}`}</Button>}
            entries={rowEntries(table, current, write)}
          />
          <Menu
            trigger={<Button size="sm">{`Column ${current.column + 1}`}</Button>}
            entries={columnEntries(table, current, write)}
          />
        </div>
      )}
    </div>
  )
}

type Cells = ReturnType<typeof shownRows>[number]['cells']

/** Rows may be written with fewer cells than the head. */
function cellText(cells: Cells, column: number): string {
  const cell = cells[column]
  return cell ? shownCell(cell) : ''
}

const alignClass = { start: 'text-start', center: 'text-center', end: 'text-end' }

type WriteTable = (next: MarkdownTable) => void

const reasonIf = (isBlocked: boolean, disabledReason: string) => (isBlocked ? { disabledReason } : {})

function rowEntries(table: MarkdownTable, { row }: CellPlace, write: WriteTable): MenuEntry[] {
  const last = shownRows(table).length - 1
  return [
    { label: 'Add row below', onSelect: () => write(withRow(table, row)) },
    {
      label: 'Move row up',
      ...reasonIf(row === 0, 'It is the first row.'),
      onSelect: () => write(movedRow(table, row, -1)),
    },
    {
      label: 'Move row down',
      ...reasonIf(row === last, 'It is the last row.'),
      onSelect: () => write(movedRow(table, row, 1)),
    },
    {
      label: 'Delete row',
      destructive: true,
      ...reasonIf(row === 0, 'A table has a head.'),
      onSelect: () => write(withoutRow(table, row)),
    },
  ]
}

function columnEntries(table: MarkdownTable, { column }: CellPlace, write: WriteTable): MenuEntry[] {
  const last = columnCount(table) - 1
  return [
    { label: 'Add column after', onSelect: () => write(withColumn(table, column)) },
    {
      label: 'Move column back',
      ...reasonIf(column === 0, 'It is the first column.'),
      onSelect: () => write(movedColumn(table, column, -1)),
    },
    {
      label: 'Move column forward',
      ...reasonIf(column === last, 'It is the last column.'),
      onSelect: () => write(movedColumn(table, column, 1)),
    },
    {
      kind: 'choice',
      label: 'Alignment',
      value: alignmentOf(table, column) ?? 'none',
      options: [
        { value: 'none', label: 'Default' },
        { value: 'start', label: 'Start' },
        { value: 'center', label: 'Centre' },
        { value: 'end', label: 'End' },
      ],
      onChange: (value) =>
        write(
          aligned(
            table,
            column,
            alignments.find((one) => one === value),
          ),
        ),
    },
    {
      label: 'Delete column',
      destructive: true,
      ...reasonIf(last === 0, 'It is the only column.'),
      onSelect: () => write(withoutColumn(table, column)),
    },
  ]
}

const alignments = ['start', 'center', 'end'] as const
