'use client'

import { UserX } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { Badge } from '../../../../../../../../ui/Badge'
import type { Column } from '../../../../../../../../ui/column'
import { EmptyMessage } from '../../../../../../../../ui/EmptyMessage'
import { number } from '../../../../../../../../ui/format'
import { Icon } from '../../../../../../../../ui/Icon'
import { Table } from '../../../../../../../../ui/Table'
import { type Clock, When } from '../../../../../../When'

interface ErasureRow {
  id: string
  person: string
  askedBy: string
  askedAt: Date
  events: number | undefined
  finishedAt: Date | undefined
}

const columnsFor = (clock: Clock): Column<ErasureRow>[] => [
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
          <Badge tone="success">Erased</Badge> <When at={finishedAt} clock={clock} />
        </>
      ) : (
        <Badge tone="info" dot>
          Under way
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
    key: 'asked',
    header: 'Asked',
    width: '12rem',
    wideOnly: true,
    cell: ({ askedAt, askedBy }) => (
      <>
        <When at={askedAt} clock={clock} /> <span className="text-muted">by {askedBy}</span>
      </>
    ),
  },
]

const lookAgainMs = 3000

/** Looks again by itself while something is under way. */
export function ErasuresTable({ erasures, clock }: { erasures: readonly ErasureRow[]; clock: Clock }) {
  const router = useRouter()
  const isUnderWay = erasures.some(({ finishedAt }) => !finishedAt)

  useEffect(() => {
    if (!isUnderWay) return undefined
    const timer = setInterval(() => router.refresh(), lookAgainMs)
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
          title="Nobody was erased"
          body="Whoever asks to be forgotten can be erased on their page under Persons. What was done is listed here."
        />
      }
    />
  )
}
