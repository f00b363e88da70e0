import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { BarListProps, BarRow } from './chart'
import type { TableColumn } from '../table/column'
import { EmptyMessage } from '../page/EmptyMessage'
import { amount, percent } from '../format'
import { Icon } from '../Icon'
import { Change } from './Stat'
import { Table } from '../table/Table'

/** Rows with bars, the largest first as given. Each may filter by itself, or lead somewhere. */
export function BarList(list: BarListProps) {
  const { title, rows, empty, onPick } = list
  return (
    <Table
      caption={title}
      columns={columnsOf(list)}
      rows={rows}
      rowKey={(row) => row.key}
      rowHref={rows.some((row) => row.href) ? (row) => row.href : undefined}
      onRowSelect={onPick}
      empty={
        empty ?? <EmptyMessage title="Nothing in this period" body="Try a longer one, or fewer filters." />
      }
      dense
    />
  )
}

function columnsOf(list: BarListProps): TableColumn<BarRow>[] {
  const { heads, unit, secondUnit, total, rows, good } = list
  const largest = Math.max(0, ...rows.map(({ value }) => value ?? 0))
  return [
    {
      key: 'label',
      header: heads.label,
      cell: (row) => <Label row={row} />,
      share: ({ value }) => (largest > 0 ? (value ?? 0) / largest : 0),
      truncate: true,
    },
    {
      key: 'value',
      header: heads.value,
      cell: (row) => <Value row={row} unit={unit} total={total} good={good} />,
      numeric: true,
    },
    ...(heads.second === undefined
      ? []
      : [
          {
            key: 'second',
            header: heads.second,
            cell: ({ second }: BarRow) => amount(second, secondUnit),
            numeric: true,
          },
        ]),
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

type BarListRowProps = { row: BarRow } & Pick<BarListProps, 'unit' | 'total' | 'good'>

function Value({ row: { value, compared }, unit, total, good }: BarListRowProps) {
  return (
    <span className="inline-flex items-center justify-end gap-2">
      {compared !== undefined && compared !== null && value !== null && (
        <span className="flex max-sm:hidden" title={`${amount(compared, unit)} before`}>
          <Change from={compared} to={value} good={good} />
        </span>
      )}
      <span className="min-w-12">{amount(value, unit)}</span>
      {total !== undefined && (
        <span className="w-10 text-xs text-muted max-sm:hidden">
          {total > 0 ? percent((value ?? 0) / total) : '–'}
        </span>
      )}
    </span>
  )
}
