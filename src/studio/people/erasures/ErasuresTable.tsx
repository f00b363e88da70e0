'use client'

import { UserX } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { bytes, number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { Table } from '#ui/table/Table'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'

interface ErasureRow {
  id: string
  person: string
  askedBy: string
  askedAt: Date
  events: number | undefined
  rowsOnDisk: number
  unsearchedBytes: number | undefined
  finishedAt: Date | undefined
}

const columnsFor = (clock: Clock): TableColumn<ErasureRow>[] => [
  {
    key: 'person',
    header: 'Person',
    truncate: true,
    cell: ({ person }) => <span className="font-mono text-xs">{person}</span>,
  },
  {
    key: 'state',
    header: 'State',
    width: '12rem',
    cell: ({ finishedAt }) =>
      finishedAt ? (
        <>
          <Badge tone="success">Erased</Badge> <RelativeTime at={finishedAt} clock={clock} />
        </>
      ) : (
        <Badge tone="info" dot>
          In progress
        </Badge>
      ),
  },
  {
    key: 'events',
    header: 'Events',
    width: '7rem',
    numeric: true,
    wideOnly: true,
    cell: ({ events }) => (events === undefined ? '–' : number(events)),
  },
  {
    key: 'files',
    header: 'Rows in files',
    width: '13rem',
    numeric: true,
    wideOnly: true,
    cell: ({ rowsOnDisk, unsearchedBytes }) => (
      <>
        {unsearchedBytes === undefined && rowsOnDisk === 0 ? '–' : number(rowsOnDisk)}
        {unsearchedBytes ? (
          <span className="text-muted"> · {bytes(unsearchedBytes)} unreadable</span>
        ) : undefined}
      </>
    ),
  },
  {
    key: 'asked',
    header: 'Requested',
    width: '12rem',
    wideOnly: true,
    cell: ({ askedAt, askedBy }) => (
      <>
        <RelativeTime at={askedAt} clock={clock} /> <span className="text-muted">by {askedBy}</span>
      </>
    ),
  },
]

const refreshMs = 3000

/** Refreshes while an erasure is in progress. */
export function ErasuresTable({ erasures, clock }: { erasures: readonly ErasureRow[]; clock: Clock }) {
  const router = useRouter()
  const isUnderWay = erasures.some(({ finishedAt }) => !finishedAt)

  useEffect(() => {
    if (!isUnderWay) return undefined
    const timer = setInterval(() => router.refresh(), refreshMs)
    return () => clearInterval(timer)
  }, [isUnderWay, router])

  return (
    <Table
      caption="Erasures"
      columns={columnsFor(clock)}
      rows={erasures}
      rowKey={({ id }) => id}
      empty={
        <EmptyMessage
          icon={<Icon of={UserX} size="lg" />}
          title="No erasures yet"
          body="To erase a person’s data, open the person and choose Erase. Each erasure is listed here."
        />
      }
    />
  )
}
