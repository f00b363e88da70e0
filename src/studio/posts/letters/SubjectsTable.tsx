'use client'

import { Badge } from '#ui/Badge'
import { number, percent } from '#ui/format'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'

interface SubjectRow {
  key: string
  text: string
  delivered: number
  clicked: number
  /** The probability of the largest share of clicks, once there is a winner. */
  chance: number | undefined
  isWinner: boolean
}

const columns: TableColumn<SubjectRow>[] = [
  {
    key: 'text',
    header: 'Subject',
    truncate: true,
    cell: ({ text, isWinner }) => (
      <>
        {text} {isWinner && <Badge tone="success">Winner</Badge>}
      </>
    ),
  },
  { key: 'delivered', header: 'Delivered', numeric: true, cell: ({ delivered }) => number(delivered) },
  { key: 'clicked', header: 'Clicked', numeric: true, cell: ({ clicked }) => number(clicked) },
  {
    key: 'chance',
    header: 'Chance to be best',
    numeric: true,
    cell: ({ chance }) => (chance === undefined ? '–' : percent(chance)),
  },
]

export const SubjectsTable = ({ rows }: { rows: readonly SubjectRow[] }) => (
  <Table caption="Subjects" columns={columns} rows={rows} rowKey={({ key }) => key} empty="No subjects" />
)
