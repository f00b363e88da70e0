'use client'

import { Trash2, UserRoundX } from 'lucide-react'
import type { ReactNode } from 'react'
import { percentText } from '#flags/words'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#app/(studio)/Change'
import { type Clock, RelativeTime } from '#app/(studio)/RelativeTime'
import { removeHoldout } from './actions'
import { HoldoutForm } from './HoldoutForm'

interface HoldoutRow {
  id: number
  name: string
  percentage: number
  createdBy: string
  createdAt: Date
  /** Those it is held out of. */
  flags: readonly string[]
}

interface HoldoutsTableProps {
  slug: string
  rows: readonly HoldoutRow[]
  clock: Clock
  whyNot: string | undefined
  create: ReactNode
}

const columnsFor = (clock: Clock): TableColumn<HoldoutRow>[] => [
  { key: 'name', header: 'Holdout', truncate: true, cell: ({ name }) => name },
  { key: 'percentage', header: 'Held out', numeric: true, cell: ({ percentage }) => percentText(percentage) },
  {
    key: 'flags',
    header: 'Of',
    wideOnly: true,
    cell: ({ flags }) => (
      <span className="block max-w-72 truncate">{flags.length === 0 ? 'No flag yet' : flags.join(', ')}</span>
    ),
  },
  {
    key: 'created',
    header: 'Created',
    wideOnly: true,
    cell: ({ createdAt, createdBy }) => (
      <>
        <RelativeTime at={createdAt} clock={clock} />
        <span className="block max-w-40 truncate text-xs text-muted">by {createdBy}</span>
      </>
    ),
  },
]

export function HoldoutsTable({ slug, rows, clock, whyNot, create }: HoldoutsTableProps) {
  return (
    <Table
      caption="Holdouts"
      columns={columnsFor(clock)}
      rows={rows}
      rowKey={({ id }) => String(id)}
      empty={
        <EmptyMessage
          icon={<Icon of={UserRoundX} size="lg" />}
          title="No holdouts yet"
          body="A holdout keeps, say, 5% of people out of new features for a quarter. The difference to the others shows what the features were worth."
          action={create}
        />
      }
      actions={actionsFor(slug, whyNot)}
    />
  )
}

const actionsFor = (slug: string, whyNot: string | undefined) => (row: HoldoutRow) => (
  <>
    <HoldoutForm slug={slug} holdout={row} whyNot={whyNot} />
    <Remove slug={slug} row={row} whyNot={whyNot} />
  </>
)

function Remove({
  slug,
  row: { id, name },
  whyNot,
}: {
  slug: string
  row: HoldoutRow
  whyNot: string | undefined
}) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title={`Remove ${name}?`}
      body={
        <>
          Its people are let in like everybody else. This cannot be undone.
          {question}
        </>
      }
      confirmLabel="Remove the holdout"
      onConfirm={() => make(() => removeHoldout(slug, id), { saved: `${name} removed` })}
      trigger={<IconButton label={`Remove ${name}`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />}
    />
  )
}
