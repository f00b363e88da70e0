'use client'

import { LogOut } from 'lucide-react'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge } from '#ui/Badge'
import { Button } from '#ui/Button'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#studio/parts/Change'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { endOtherSessions, endSession } from './account'

interface SessionRow {
  id: string
  client: string
  address: string
  createdAt: Date
  seenAt: Date
  isThis: boolean
}

const columnsFor = (clock: Clock): TableColumn<SessionRow>[] => [
  {
    key: 'client',
    header: 'Device',
    cell: ({ client, address, isThis }) => (
      <span className="block py-0.5">
        <span className="flex items-center gap-2 font-medium">
          {client} {isThis && <Badge tone="accent">This one</Badge>}
        </span>
        <span className="block font-mono text-xs text-muted">{address}</span>
      </span>
    ),
  },
  {
    key: 'since',
    header: 'Signed in',
    wideOnly: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} clock={clock} />,
  },
  { key: 'seen', header: 'Last seen', cell: ({ seenAt }) => <RelativeTime at={seenAt} clock={clock} /> },
]

const actionsFor = (session: SessionRow) => <EndSession {...session} />

export function SessionsTable({ sessions, clock }: { sessions: readonly SessionRow[]; clock: Clock }) {
  return (
    <div className="flex flex-col gap-4">
      <div className="-mx-4 -mt-4 sm:-mx-5 sm:-mt-5">
        <Table
          caption="Sessions"
          columns={columnsFor(clock)}
          rows={sessions}
          rowKey={({ id }) => id}
          empty={<EmptyMessage title="No sessions" />}
          actions={actionsFor}
        />
      </div>
      <EndOthers hasOthers={sessions.some(({ isThis }) => !isThis)} />
    </div>
  )
}

function EndSession({ id, client, isThis }: SessionRow) {
  const { make, question } = useDirectChange()

  return (
    <AlertDialog
      title={`End the session on ${client}?`}
      body={<>It is signed out immediately.{question}</>}
      confirmLabel="End session"
      onConfirm={() => make(() => endSession(id), { saved: 'Session ended' })}
      trigger={
        <IconButton
          label={`End the session on ${client}`}
          icon={<Icon of={LogOut} />}
          disabledReason={isThis ? 'This is your current session. Sign out instead.' : undefined}
        />
      }
    />
  )
}

function EndOthers({ hasOthers }: { hasOthers: boolean }) {
  const { make, question } = useDirectChange()

  return (
    <div>
      <AlertDialog
        title="End all other sessions?"
        body={<>All other browsers are signed out immediately. This one stays signed in.{question}</>}
        confirmLabel="End others"
        onConfirm={() => make(endOtherSessions, { saved: 'Other sessions ended' })}
        trigger={
          <Button disabledReason={hasOthers ? undefined : 'No other sessions.'}>End all others…</Button>
        }
      />
    </div>
  )
}
