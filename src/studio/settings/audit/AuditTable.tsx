'use client'

import { Bot, Terminal } from 'lucide-react'
import { useState } from 'react'
import type { AuditEntry } from '#projects/audit'
import { auditActions } from '#projects/audit-actions'
import { Avatar } from '#ui/Avatar'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { EntryPanel } from './EntryPanel'

const columnsFor = (clock: Clock): TableColumn<AuditEntry>[] => [
  {
    key: 'who',
    header: 'Actor',
    cell: ({ actor, action, subject }) => (
      <>
        <Actor {...actor} />
        {/* the button's name includes the entry, not only its author */}
        <VisuallyHidden>{`${auditActions[action]} ${subject}`}</VisuallyHidden>
      </>
    ),
  },
  {
    key: 'what',
    header: 'Action',
    cell: ({ action, subject, at }) => (
      <span className="block max-w-md">
        <span className="text-muted">{auditActions[action]} </span>
        <span className="font-medium break-words">{subject}</span>
        <span className="block text-xs text-muted md:hidden">
          <RelativeTime at={at} clock={clock} />
        </span>
      </span>
    ),
  },
  {
    key: 'from',
    header: 'Origin',
    width: '11rem',
    wideOnly: true,
    cell: ({ origin }) => <span className="text-muted">{origin.client}</span>,
  },
  {
    key: 'when',
    header: 'Time',
    width: '9rem',
    wideOnly: true,
    cell: ({ at }) => <RelativeTime at={at} clock={clock} />,
  },
]

/** Each row opens its values before and after, and its origin. */
export function AuditTable({
  entries,
  clock,
  isNarrowed,
}: {
  entries: readonly AuditEntry[]
  clock: Clock
  isNarrowed: boolean
}) {
  const [opened, open] = useState<number>()

  return (
    <Panel flush>
      <Table
        caption="Audit log"
        columns={columnsFor(clock)}
        rows={entries}
        rowKey={({ sequence }) => String(sequence)}
        onRowSelect={({ sequence }) => open(sequence)}
        empty={
          isNarrowed ? (
            <EmptyMessage title="No matching entries" body="Choose another action or actor." />
          ) : (
            <EmptyMessage title="No entries yet" />
          )
        }
      />
      <EntryPanel
        entry={entries.find(({ sequence }) => sequence === opened)}
        clock={clock}
        close={() => open(undefined)}
      />
    </Panel>
  )
}

export function Actor({ kind, name }: AuditEntry['actor']) {
  return (
    <span className="flex items-center gap-2.5">
      {kind === 'member' ? (
        <Avatar name={name} size="sm" decorative />
      ) : (
        <Icon of={kind === 'key' ? Bot : Terminal} className="text-faint" label={kindLabels[kind]} />
      )}
      <span className="max-w-28 truncate font-medium sm:max-w-44">{name}</span>
    </span>
  )
}

const kindLabels = { key: 'Secret key', operator: 'Command line' }
