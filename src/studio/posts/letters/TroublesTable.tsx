'use client'

import type { TroubledDelivery } from '#letters/letters'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'

const labels: Readonly<Record<string, string>> = {
  bounced: 'Bounced',
  failed: 'Failed',
  uncertain: 'May have arrived',
}

const columns: TableColumn<TroubledDelivery>[] = [
  { key: 'address', header: 'Address', truncate: true, cell: ({ address }) => address ?? 'Removed' },
  { key: 'state', header: 'State', cell: ({ state }) => labels[state] ?? state },
  { key: 'outcome', header: 'Reason', wideOnly: true, cell: ({ outcome }) => outcome ?? '–' },
]

export const TroublesTable = ({ rows }: { rows: readonly TroubledDelivery[] }) => (
  <Table caption="Not delivered" columns={columns} rows={rows} rowKey={({ id }) => id} empty="None" />
)
