import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { ChartColour } from '../chart/chart'

export type Sort = { by: string; direction: 'ascending' | 'descending' }

/** Columns live at module scope, beside the rows' type. */
export type TableColumn<Row> = {
  key: string
  header: string
  /** The colour that charts have for what it counts. */
  mark?: ChartColour
  /** The way its numbers are counted, as a tooltip of the header. */
  about?: string | undefined
  cell: (row: Row) => ReactNode
  /** Right-aligned, with digits of one width. */
  numeric?: boolean
  sortable?: boolean
  /** A CSS width; other columns share what is left. */
  width?: string
  /** From 0 to 1: a soft bar behind the cell. */
  share?: (row: Row) => number
  /** Takes what width is left and cuts off what does not fit. */
  truncate?: boolean
  /** Left out where the table is narrow. */
  wideOnly?: boolean
  /** Left out where the table is narrower. */
  needs?: keyof typeof boxWidths
  /** Less room on both sides, for several short numbers beside each other. */
  tight?: boolean
}

const boxWidths = {
  '28rem': '@max-md/table:hidden',
  '40rem': '@max-xl/table:hidden',
} as const

/** The style of a column's cells, its header among them. */
export const columnClass = <Row>({ numeric, wideOnly, truncate, needs, tight }: TableColumn<Row>) =>
  clsx(
    numeric && 'text-right tabular-nums',
    wideOnly && '@max-lg/table:hidden',
    needs && boxWidths[needs],
    tight && 'px-2! whitespace-nowrap last:pr-4!',
    truncate && 'w-full max-w-0 min-w-36 truncate',
  )

/** Numbers are first asked for the largest, words for the first. */
export function nextSort<Row>(column: Pick<TableColumn<Row>, 'key' | 'numeric'>, sort?: Sort): Sort {
  const first = column.numeric ? 'descending' : 'ascending'
  if (sort?.by !== column.key) return { by: column.key, direction: first }
  return { by: column.key, direction: sort.direction === 'ascending' ? 'descending' : 'ascending' }
}
