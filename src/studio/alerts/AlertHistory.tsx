import type { AlertChange } from '#alerts/alert'
import type { DeliveryReport } from '#alerts/deliveries/deliveries'
import { verdictWords } from '#alerts/verdict-words'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import { Table } from '#ui/table/Table'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { StateBadge } from './AlertsTable'
import { type AlertMember, recipientLabel } from './recipients'

const changeColumns = (clock: Clock): TableColumn<AlertChange>[] => [
  { key: 'at', header: 'Time', width: '10rem', cell: ({ at }) => <RelativeTime at={at} clock={clock} /> },
  {
    key: 'state',
    header: 'State',
    width: '8rem',
    cell: ({ verdict }) => <StateBadge state={verdict.state} />,
  },
  { key: 'value', header: 'Value', cell: ({ verdict }) => verdictWords(verdict, 'number') },
]

export function AlertHistory({ changes, clock }: { changes: readonly AlertChange[]; clock: Clock }) {
  return (
    <Panel flush title="History">
      <Table
        caption="Alert history"
        columns={changeColumns(clock)}
        rows={changes}
        rowKey={({ at }) => at.toISOString()}
        empty={<EmptyMessage title="No history yet" body="Every change of state is listed here." />}
      />
    </Panel>
  )
}

const messageKindLabels: Record<string, string> = {
  firing: 'Firing',
  recovered: 'Resolved',
  'still-firing': 'Still firing',
  test: 'Test',
  report: 'Report',
  response: 'Response',
}

const deliveryStates = {
  sent: { label: 'Sent', tone: 'success' },
  waiting: { label: 'Waiting', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
} as const

const deliveryColumns = (clock: Clock, members: readonly AlertMember[]): TableColumn<DeliveryReport>[] => [
  { key: 'at', header: 'Time', cell: ({ createdAt }) => <RelativeTime at={createdAt} clock={clock} /> },
  {
    key: 'whom',
    header: 'Recipient',
    cell: ({ recipient, tidings }) => (
      <span className="block max-w-44 py-0.5">
        <span className="block truncate">{recipientLabel(recipient, members)}</span>
        <span className="block text-xs text-muted">{messageKindLabels[tidings] ?? tidings}</span>
      </span>
    ),
  },
  {
    key: 'state',
    header: 'Delivery',
    cell: ({ state, outcome }) => (
      <span className="flex min-w-40 flex-wrap items-center gap-1.5">
        <Badge tone={deliveryStates[state].tone}>{deliveryStates[state].label}</Badge>
        {outcome && <span className="text-xs text-muted">{outcome}</span>}
      </span>
    ),
  },
]

/** Messages of an alert with their recipients and outcomes. */
export function DeliveriesTable({
  deliveries,
  clock,
  members,
}: {
  deliveries: readonly DeliveryReport[]
  clock: Clock
  members: readonly AlertMember[]
}) {
  return (
    <Panel flush title="Notifications">
      <Table
        caption="Notifications"
        columns={deliveryColumns(clock, members)}
        rows={deliveries}
        rowKey={({ id }) => id}
        empty={<EmptyMessage title="No notifications yet" body="Send a test to check that it arrives." />}
      />
    </Panel>
  )
}
