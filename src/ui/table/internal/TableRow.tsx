import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Anchor } from '../../Anchor'
import { columnClass, type TableColumn } from '../column'
import { Skeleton } from '../../page/Skeleton'
import { OptimisticRow } from '../OptimisticRow'

type TableRowProps<Row> = {
  row: Row
  columns: readonly TableColumn<Row>[]
  rowHref?: (row: Row) => string | undefined
  onRowSelect?: (row: Row) => void
  actions?: (row: Row) => ReactNode
  dense?: boolean
}

/** Bars in dense rows already keep the rows apart. */
const cellClass = (dense?: boolean, hasBars?: boolean) =>
  clsx(
    'px-4',
    dense ? 'h-8.5' : 'h-11 py-1.5',
    !(dense && hasBars) && 'border-b border-line group-last:border-b-0',
  )

/** One row of a Table; pressable as a whole when it leads somewhere. */
export function TableRow<Row>({ row, columns, rowHref, onRowSelect, actions, dense }: TableRowProps<Row>) {
  const isPressable = Boolean(rowHref?.(row) ?? onRowSelect)
  const cell = cellClass(
    dense,
    columns.some((column) => column.share),
  )
  return (
    <OptimisticRow
      className={clsx(
        'group',
        dense && 'first:*:h-9.5 first:*:pt-1 last:*:h-9.5 last:*:pb-1',
        // Safari positions nothing against a row unless it is moved, be it by nothing.
        isPressable &&
          'relative translate-0 transition-colors hover:bg-hover has-[.row-target:focus-visible]:outline-2 has-[.row-target:focus-visible]:-outline-offset-2 has-[.row-target:focus-visible]:outline-focus has-[.row-target[data-pending]]:bg-hover',
      )}
    >
      {columns.map((column, index) => (
        <td key={column.key} className={clsx(cell, columnClass(column))}>
          <Cell share={column.share?.(row)}>
            {index === 0 ? (
              <RowTarget
                href={rowHref?.(row)}
                truncate={column.truncate}
                onSelect={onRowSelect && (() => onRowSelect(row))}
              >
                {column.cell(row)}
              </RowTarget>
            ) : (
              column.cell(row)
            )}
          </Cell>
        </td>
      ))}
      {actions && (
        <td className={clsx(cell, 'w-0 pl-0 text-right')}>
          <span className="relative z-1 inline-flex items-center gap-0.5">{actions(row)}</span>
        </td>
      )}
    </OptimisticRow>
  )
}

/** Bar and content share one grid area: nothing is positioned, so a row's link can still cover the row. */
function Cell({ share, children }: { share?: number; children: ReactNode }) {
  if (share === undefined) return children
  return (
    <span className="-mx-2 grid grid-cols-[100%] items-center *:[grid-area:1/1]">
      <span
        aria-hidden
        className="h-7 min-w-0.5 rounded-sm bg-accent-soft"
        style={{ width: `${Math.min(Math.max(share, 0), 1) * 100}%` }}
      />
      <span className="min-w-0 truncate px-2">{children}</span>
    </span>
  )
}

/** The target covers its row; the row, not the cell, is the element it is placed against. */
const targetClass = 'row-target text-left font-medium outline-none after:absolute after:inset-0'

function RowTarget({ href, onSelect, truncate, children }: RowTargetProps) {
  const look = clsx(targetClass, truncate && 'inline-block max-w-full truncate align-bottom')
  if (href !== undefined)
    return (
      <Anchor href={href} className={look}>
        {children}
      </Anchor>
    )
  if (onSelect)
    return (
      <button type="button" onClick={onSelect} className={look}>
        {children}
      </button>
    )
  return children
}

type RowTargetProps = { href?: string; onSelect?: () => void; truncate?: boolean; children: ReactNode }

const placeholderRows = ['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5', 'w-1/2']

export function PlaceholderRows<Row>({ columns }: { columns: readonly TableColumn<Row>[] }) {
  return placeholderRows.map((width, index) => (
    <tr key={index} className="group">
      {columns.map((column) => (
        <td key={column.key} className={clsx(cellClass(), columnClass(column))}>
          <Skeleton className={clsx('h-3.5', column.numeric ? 'ml-auto w-12' : width)} />
        </td>
      ))}
    </tr>
  ))
}

/** The last row. */
export function TotalsRow<Row>({
  columns,
  totals,
  hasActions,
}: {
  columns: readonly TableColumn<Row>[]
  totals: Record<string, ReactNode>
  hasActions: boolean
}) {
  return (
    <tfoot>
      <tr className="bg-sunken font-medium">
        {columns.map((column) => (
          <td key={column.key} className={clsx('h-9 border-t border-line px-4', columnClass(column))}>
            {totals[column.key]}
          </td>
        ))}
        {hasActions && <td aria-hidden className="border-t border-line" />}
      </tr>
    </tfoot>
  )
}
