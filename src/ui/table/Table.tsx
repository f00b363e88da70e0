import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { TableColumn, Sort } from './column'
import { FailedMessage } from '../page/FailedMessage'
import { TableHeader } from './internal/TableHeader'
import { PlaceholderRows, TableRow, TotalsRow } from './internal/TableRow'

type TableProps<Row> = {
  /** The name of the rows, for a screen reader. */
  caption: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Shown instead of rows when there are none: an EmptyMessage that teaches the next step. */
  empty: ReactNode
  /** Loading with rows keeps them, dimmed; without rows it draws their places. */
  state?: 'ready' | 'loading' | 'failed'
  failed?: ReactNode
  sort?: Sort
  /** Sorting in the address… */
  sortHref?: (sort: Sort) => string
  /** …or in the page. */
  onSort?: (sort: Sort) => void
  /** The whole row leads there; its first cell is the link. */
  rowHref?: (row: Row) => string | undefined
  /** The whole row does something; its first cell is the button. */
  onRowSelect?: (row: Row) => void
  /** Buttons at the end of each row. */
  actions?: (row: Row) => ReactNode
  /** Last row, by column key. */
  totals?: Record<string, ReactNode>
  /** Scrolls inside this height, under a header that stays. */
  maxHeight?: string
  dense?: boolean
}

/**
 * Rows of one kind. On narrow screens it scrolls in its own box.
 *
 * @example
 * <Table caption="Goals" columns={columns} rows={goals} rowKey={({ id }) => id} empty={<NoGoals />} />
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, state = 'ready', maxHeight, empty, failed } = props
  if (state === 'failed') return failed ?? <FailedMessage title={`${caption} could not be loaded`} />
  if (state === 'ready' && rows.length === 0) return empty

  return (
    <ScrollBox caption={caption} maxHeight={maxHeight} isReachable={!isInteractive(props)}>
      <table className="w-full border-collapse text-sm" aria-busy={state === 'loading' || undefined}>
        <caption className="sr-only">{caption}</caption>
        <TableHeader {...props} hasActions={Boolean(props.actions)} />
        <tbody className={clsx('transition-opacity', state === 'loading' && rows.length > 0 && 'opacity-55')}>
          {rows.length === 0 ? (
            <PlaceholderRows columns={columns} />
          ) : (
            rows.map((row) => <TableRow key={props.rowKey(row)} row={row} {...props} />)
          )}
        </tbody>
        {props.totals && (
          <TotalsRow columns={columns} totals={props.totals} hasActions={Boolean(props.actions)} />
        )}
      </table>
    </ScrollBox>
  )
}

/** A box that scrolls must be reachable by keyboard, unless something inside it already is. */
export function ScrollBox({
  caption,
  maxHeight,
  isReachable,
  children,
}: {
  caption: string
  maxHeight?: string
  isReachable: boolean
  children: ReactNode
}) {
  const look =
    '@container/table relative w-full overflow-auto overscroll-x-contain focus-visible:-outline-offset-2'
  if (!isReachable)
    return (
      <div className={look} style={{ maxHeight }}>
        {children}
      </div>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={caption} tabIndex={0} className={look} style={{ maxHeight }}>
      {children}
    </section>
  )
}

const isInteractive = <Row,>({ rowHref, onRowSelect, actions, sortHref, onSort }: TableProps<Row>) =>
  Boolean(rowHref || onRowSelect || actions || sortHref || onSort)
