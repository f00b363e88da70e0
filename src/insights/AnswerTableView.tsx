import type { Column } from '../ui/column'
import { amount, dateTime } from '../ui/format'
import { Table } from '../ui/Table'
import { type ChartGround, unitOf } from './chart-ground'
import type { AnswerColumn, AnswerTable, Cell } from './kind'
import { NothingHappened } from './NothingHappened'

type Row = { place: number; cells: readonly Cell[] }

/** Any answer as rows; more than so many are for a file. */
const mostRows = 500

/** An answer as what it always is as well: rows under heads. */
export function AnswerTableView({
  table: { columns, rows },
  title,
  ground,
  maxHeight,
}: {
  table: AnswerTable
  title: string
  ground: ChartGround
  maxHeight?: string
}) {
  return (
    <Table
      caption={title}
      columns={columns.map((column, place) => columnFor(column, place, ground))}
      rows={rows.slice(0, mostRows).map((cells, place): Row => ({ place, cells }))}
      rowKey={({ place }) => String(place)}
      empty={<NothingHappened title="No rows" body="Nothing fits what was asked for." />}
      maxHeight={maxHeight}
      dense
    />
  )
}

function columnFor({ name, as }: AnswerColumn, place: number, ground: ChartGround): Column<Row> {
  return {
    key: `${place} ${name}`,
    header: name,
    numeric: as !== 'text' && as !== 'date',
    cell: ({ cells }) => written(cells[place] ?? null, as, ground),
  }
}

function written(cell: Cell, as: AnswerColumn['as'], ground: ChartGround): string {
  if (cell === null) return '–'
  if (as === 'date' && !Number.isNaN(Date.parse(String(cell)))) return dateTime(cell, ground.timeZone)
  return typeof cell === 'number' && as !== 'text' ? amount(cell, unitOf(as, ground)) : String(cell)
}
