import type { DeliveryReport } from '#alerts/deliveries/deliveries'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import { Table } from '#ui/table/Table'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { type AlertMember, recipientLabel } from './recipients'

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
