'use client'

import { UserRoundX } from 'lucide-react'
import type { ReactNode } from 'react'
import { percentText } from '#flags/words'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { Table } from '#ui/table/Table'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { removeHoldout } from './actions'
import { HoldoutForm } from './HoldoutForm'
import { RemoveEntry } from './RemoveEntry'

interface HoldoutRow {
  id: number
  name: string
  percentage: number
  createdBy: string
  createdAt: Date
  /** The flags that it holds visitors out of. */
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
    header: 'Flags',
    wideOnly: true,
    cell: ({ flags }) => (
      <span className="block max-w-72 truncate">{flags.length === 0 ? 'No flags' : flags.join(', ')}</span>
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
          body="Keep, say, 5% of people out of new features for a quarter to measure the effect of all features together."
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
    <RemoveEntry
      name={row.name}
      noun="holdout"
      consequence="Its people get flags like everyone else."
      remove={() => removeHoldout(slug, row.id)}
      whyNot={whyNot}
    />
  </>
)
