import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { Anchor } from '../../Anchor'
import { ColourMark } from '../../chart/ColourMark'
import { columnClass, nextSort, type TableColumn, type Sort } from '../column'
import { Icon } from '../../Icon'

type TableHeaderProps<Row> = {
  columns: readonly TableColumn<Row>[]
  sort?: Sort
  sortHref?: (sort: Sort) => string
  onSort?: (sort: Sort) => void
  hasActions: boolean
}

/** The names of a Table's columns, and how it is sorted. */
export function TableHeader<Row>({ columns, hasActions, ...sorting }: TableHeaderProps<Row>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <Header key={column.key} column={column} {...sorting} />
        ))}
        {hasActions && (
          <th scope="col" className={headClass}>
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

type HeaderProps<Row> = { column: TableColumn<Row> } & Pick<
  TableHeaderProps<Row>,
  'sort' | 'sortHref' | 'onSort'
>

const headClass = clsx(
  'sticky top-0 z-sticky h-8 bg-surface px-4 text-left text-xs font-medium whitespace-nowrap text-muted',
  'shadow-[inset_0_-1px_0_var(--color-line)]',
)

function Header<Row>({ column, sort, sortHref, onSort }: HeaderProps<Row>) {
  const isSorted = sort?.by === column.key
  const isSortable = column.sortable && (sortHref || onSort)
  return (
    <th
      scope="col"
      title={column.about}
      aria-sort={isSorted ? sort.direction : isSortable ? 'none' : undefined}
      className={clsx(headClass, columnClass(column))}
      style={{ width: column.width }}
    >
      {column.mark && (
        <>
          <ColourMark colour={column.mark} />{' '}
        </>
      )}
      {isSortable ? (
        <SortControl column={column} sort={sort} sortHref={sortHref} onSort={onSort} />
      ) : (
        column.header
      )}
    </th>
  )
}

function SortControl<Row>({ column, sort, sortHref, onSort }: HeaderProps<Row>) {
  const isSorted = sort?.by === column.key
  const next = nextSort(column, sort)
  const look = clsx(
    'group/sort -mx-1.5 inline-flex h-6 items-center gap-1 rounded-sm px-1.5 hover:bg-hover hover:text-ink focus-visible:-outline-offset-2',
    column.numeric && 'flex-row-reverse',
    isSorted && 'text-ink',
  )
  const inside = (
    <>
      {column.header}
      <Icon
        of={isSorted ? (sort.direction === 'ascending' ? ArrowUp : ArrowDown) : ChevronsUpDown}
        size="sm"
        className={
          isSorted ? '' : 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60'
        }
      />
    </>
  )
  return sortHref ? (
    <Anchor href={sortHref(next)} className={look}>
      {inside}
    </Anchor>
  ) : (
    <button type="button" onClick={() => onSort?.(next)} className={look}>
      {inside}
    </button>
  )
}
