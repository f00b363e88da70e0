'use client'

import { Trash2, Users } from 'lucide-react'
import type { Subscriber, SubscriberState } from '#letters/subscribers/subscriber'
import { Badge } from '#ui/Badge'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#studio/parts/Change'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { removeSubscriber } from './actions'

type SubscriberRow = Pick<Subscriber, 'id' | 'address' | 'state' | 'source' | 'changedAt'>

export const subscriberStateLabels: Readonly<Record<SubscriberState, string>> = {
  confirmed: 'Confirmed',
  pending: 'Pending',
  unsubscribed: 'Unsubscribed',
  bounced: 'Bounced',
  complained: 'Complained',
  erased: 'Erased',
}

const columnsFor = (clock: Clock): TableColumn<SubscriberRow>[] => [
  { key: 'address', header: 'Address', truncate: true, cell: ({ address }) => address ?? 'Address removed' },
  { key: 'state', header: 'State', cell: ({ state }) => <Badge>{subscriberStateLabels[state]}</Badge> },
  {
    key: 'source',
    header: 'Source',
    wideOnly: true,
    cell: ({ source }) => (source === 'form' ? 'Form' : 'Import'),
  },
  {
    key: 'changed',
    header: 'Changed',
    wideOnly: true,
    cell: ({ changedAt }) => <RelativeTime at={changedAt} clock={clock} />,
  },
]

interface SubscribersTableProps {
  slug: string
  clock: Clock
  rows: readonly SubscriberRow[]
  whyNot: string | undefined
}

export const SubscribersTable = ({ slug, clock, rows, whyNot }: SubscribersTableProps) => (
  <Table
    caption="Subscribers"
    columns={columnsFor(clock)}
    rows={rows}
    rowKey={({ id }) => id}
    empty={
      <EmptyMessage
        icon={<Icon of={Users} size="lg" />}
        title="No subscribers"
        body="Add a sign-up form with the name of this list to a post, or import addresses."
      />
    }
    actions={actionsFor(slug, whyNot)}
  />
)

const actionsFor = (slug: string, whyNot: string | undefined) => (row: SubscriberRow) => (
  <Remove slug={slug} row={row} whyNot={whyNot} />
)

function Remove({ slug, row, whyNot }: { slug: string; row: SubscriberRow; whyNot: string | undefined }) {
  const { make, question } = useDirectChange()
  const name = row.address ?? 'this subscriber'
  return (
    <AlertDialog
      title={`Remove ${name}?`}
      body={
        <>
          Removing forgets that an address unsubscribed: an import could add it again.
          {question}
        </>
      }
      confirmLabel="Remove subscriber"
      onConfirm={() => make(() => removeSubscriber(slug, row.id), { saved: 'Subscriber removed' })}
      trigger={<IconButton label={`Remove ${name}`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />}
    />
  )
}
