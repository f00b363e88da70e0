import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { BarListProps, BarRow } from './chart'
import type { TableColumn } from '../table/column'
import { EmptyMessage } from '../page/EmptyMessage'
import { amount, percent, shortAmount } from '../format'
import { Icon } from '../Icon'
import { Change } from './Stat'
import { NumberLink } from './NumberLink'
import { Table } from '../table/Table'

/** Rows with bars, the largest first as given. Each may filter by itself, or lead somewhere. */
export function BarList(list: BarListProps) {
  const { title, rows, empty, onPick, sort, sortHref } = list
  return (
    <Table
      caption={title}
      columns={columnsOf(list)}
      rows={rows}
      rowKey={(row) => row.key}
      rowHref={rows.some((row) => row.href) ? (row) => row.href : undefined}
      onRowSelect={onPick}
      sort={sort}
      sortHref={sortHref}
      empty={
        empty ?? (
          <EmptyMessage title="No data in this period" body="Try a longer date range or fewer filters." />
        )
      }
      dense
    />
  )
}

function columnsOf(list: BarListProps): TableColumn<BarRow>[] {
  const { heads, unit, secondUnit, total, rows, good, further = [], sortHref } = list
  const sortable = sortHref !== undefined
  const largest = Math.max(0, ...rows.map(({ value }) => value ?? 0))
  return [
    {
      key: 'label',
      header: heads.label,
      cell: (row) => <Label row={row} />,
      share: ({ value }) => (largest > 0 ? (value ?? 0) / largest : 0),
      truncate: true,
      sortable,
    },
    {
      key: 'value',
      header: heads.value,
      cell: (row) => (
        <Value
          row={row}
          unit={unit}
          total={total}
          good={good}
          further={further.length + (heads.second === undefined ? 0 : 1)}
        />
      ),
      numeric: true,
      sortable,
    },
    ...(heads.second === undefined
      ? []
      : [
          {
            key: 'second',
            header: heads.second,
            cell: ({ second }: BarRow) => amount(second, secondUnit),
            numeric: true,
            sortable,
          },
        ]),
    ...further.map(({ key, label, about, unit: of, needs }) => ({
      key,
      header: label,
      about,
      // beside each other, shares are read as whole percentages
      cell: ({ further: numbers }: BarRow) =>
        of === 'percent' ? shortAmount(numbers?.[key], of) : amount(numbers?.[key], of),
      numeric: true,
      tight: true,
      sortable,
      needs,
    })),
  ]
}

function Label({ row: { label, icon, current } }: { row: BarRow }) {
  return (
    <span
      className={clsx('inline-flex max-w-full items-center gap-2 align-bottom', current && 'text-accent-ink')}
    >
      {icon && <span className="flex shrink-0">{icon}</span>}
      <bdi className="truncate" title={label}>
        {label}
      </bdi>
      {current && <Icon of={Check} size="sm" label="Filtered by this" />}
    </span>
  )
}

type BarListRowProps = { row: BarRow } & { further: number } & Pick<BarListProps, 'unit' | 'total' | 'good'>

function Value({ row: { value, compared, label, valueHref }, unit, total, good, further }: BarListRowProps) {
  return (
    <span className="inline-flex items-center justify-end gap-2">
      {compared !== undefined && compared !== null && value !== null && (
        <span
          className={clsx('flex', further > 0 ? '@max-md/table:hidden' : '@max-xs/table:hidden')}
          title={`${amount(compared, unit)} before`}
        >
          <Change from={compared} to={value} good={good} />
        </span>
      )}
      <span className="min-w-12">
        {valueHref && value ? (
          <NumberLink href={valueHref} label={`${label}: ${amount(value, unit)}`}>
            {amount(value, unit)}
          </NumberLink>
        ) : (
          amount(value, unit)
        )}
      </span>
      {total !== undefined && (
        <span
          className={clsx(
            'w-10 text-xs text-muted',
            further > 0 ? '@max-xl/table:hidden' : '@max-md/table:hidden',
          )}
        >
          {total > 0 ? percent((value ?? 0) / total) : '–'}
        </span>
      )}
    </span>
  )
}
