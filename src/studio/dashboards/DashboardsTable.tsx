'use client'

import { Anchor } from '#ui/Anchor'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { DashboardMenu, type MenuDashboard } from './DashboardActions'

type DashboardRow = MenuDashboard & { cards: number; changedBy: string; changedAt: Date }

interface DashboardsTableProps {
  slug: string
  clock: Clock
  whyNot?: string
  dashboards: readonly DashboardRow[]
}

const columnsFor = ({ slug, clock }: DashboardsTableProps): TableColumn<DashboardRow>[] => [
  {
    key: 'name',
    header: 'Dashboard',
    truncate: true,
    cell: ({ id, name, description, isHome }) => (
      <span className="block min-w-0 py-0.5">
        <span className="flex items-center gap-2">
          <Anchor href={paths.dashboard(slug, id)} className="truncate font-medium hover:underline">
            {name}
          </Anchor>
          {isHome && <Badge tone="info">Home</Badge>}
        </span>
        {description && <span className="block truncate text-xs text-muted">{description}</span>}
      </span>
    ),
  },
  { key: 'cards', header: 'Cards', numeric: true, width: '6rem', wideOnly: true, cell: ({ cards }) => cards },
  {
    key: 'changed',
    header: 'Changed',
    width: '11rem',
    wideOnly: true,
    cell: ({ changedAt, changedBy }) => (
      <>
        <RelativeTime at={changedAt} clock={clock} />
        <span className="block max-w-40 truncate text-xs text-muted">by {changedBy}</span>
      </>
    ),
  },
]

const actionsFor =
  ({ slug, whyNot }: DashboardsTableProps) =>
  (dashboard: DashboardRow) => <DashboardMenu slug={slug} dashboard={dashboard} whyNot={whyNot} />

export function DashboardsTable(props: DashboardsTableProps) {
  return (
    <Table
      caption="Dashboards"
      columns={columnsFor(props)}
      rows={props.dashboards}
      rowKey={({ id }) => id}
      empty={null}
      actions={actionsFor(props)}
    />
  )
}
