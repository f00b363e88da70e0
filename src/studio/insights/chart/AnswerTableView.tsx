import type { TableColumn } from '#ui/table/column'
import { amount, dateTime } from '#ui/format'
import { Table } from '#ui/table/Table'
import { nameWithMargin } from '#insights/approximation'
import { type ChartSettings, unitOf } from '#insights/chart-settings'
import type { AnswerColumn, AnswerTable, AnswerCell } from '#insights/kind'
import { NothingHappened } from './NothingHappened'

type Row = { place: number; cells: readonly AnswerCell[] }

/** The largest number of rows in the table; longer answers are exported. */
const mostRows = 500

/** Shows any answer as a table. */
export function AnswerTableView({
  table: { columns, rows },
  title,
  settings,
  maxHeight,
}: {
  table: AnswerTable
  title: string
  settings: ChartSettings
  maxHeight?: string
}) {
  return (
    <Table
      caption={title}
      columns={columns.map((column, place) => columnFor(column, place, settings))}
      rows={rows.slice(0, mostRows).map((cells, place): Row => ({ place, cells }))}
      rowKey={({ place }) => String(place)}
      empty={
        <NothingHappened title="No rows" body="Nothing matches. Try a longer date range or fewer filters." />
      }
      maxHeight={maxHeight}
      dense
    />
  )
}

function columnFor(
  { name, as, within }: AnswerColumn,
  place: number,
  settings: ChartSettings,
): TableColumn<Row> {
  return {
    key: `${place} ${name}`,
    header: nameWithMargin({ name, within }),
    numeric: as !== 'text' && as !== 'date',
    cell: ({ cells }) => written(cells[place] ?? null, as, settings),
  }
}

function written(cell: AnswerCell, as: AnswerColumn['as'], settings: ChartSettings): string {
  if (cell === null) return '–'
  if (as === 'date' && !Number.isNaN(Date.parse(String(cell)))) return dateTime(cell, settings.timeZone)
  return typeof cell === 'number' && as !== 'text' ? amount(cell, unitOf(as, settings)) : String(cell)
}
