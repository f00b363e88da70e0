'use client'

import { CalendarRange } from 'lucide-react'
import type { ExportableTable } from '#exports/exports'
import { month as monthInWords, number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'

interface MonthRow {
  month: string
  events: number
  sessions: number
}

const columns: TableColumn<MonthRow>[] = [
  { key: 'month', header: 'Month (UTC)', cell: ({ month }) => monthInWords(`${month}-01`) },
  { key: 'events', header: 'Events', numeric: true, cell: ({ events }) => number(events) },
  { key: 'sessions', header: 'Sessions', numeric: true, cell: ({ sessions }) => number(sessions) },
]

/** The number of rows in each month. */
export const MonthsTable = ({ tables }: { tables: readonly ExportableTable[] }) => (
  <Panel flush title="Rows by month">
    <Table
      caption="Rows by month"
      columns={columns}
      rows={monthRows(tables)}
      rowKey={({ month }) => month}
      empty={
        <EmptyMessage
          icon={<Icon of={CalendarRange} size="lg" />}
          title="No events yet"
          body="Each month with events is listed here."
        />
      }
    />
  </Panel>
)

function monthRows(tables: readonly ExportableTable[]): MonthRow[] {
  const rowsOf = (name: ExportableTable['table']) =>
    new Map(tables.find(({ table }) => table === name)?.months?.map(({ month, rows }) => [month, rows]))
  const [events, sessions] = [rowsOf('events'), rowsOf('sessions')]
  return [...new Set([...events.keys(), ...sessions.keys()])]
    .toSorted((one, other) => other.localeCompare(one))
    .map((month) => ({ month, events: events.get(month) ?? 0, sessions: sessions.get(month) ?? 0 }))
}
