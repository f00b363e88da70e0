'use client'

import { KeyRound, Trash2 } from 'lucide-react'
import type { Right } from '#projects/access'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge } from '#ui/Badge'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { Tooltip } from '#ui/overlay/Tooltip'
import { useDirectChange } from '#studio/parts/Change'
import { type Clock, CalendarDate, RelativeTime } from '#studio/parts/RelativeTime'
import { CreateKey } from './CreateKey'
import { revokeKey } from './keys'

export interface KeysTableContext {
  slug: string
  clock: Clock
  whyNot?: string
  /** The rights that this member holds and can grant. */
  grantable: readonly Right[]
}

interface KeyRow {
  id: string
  name: string
  lastFour: string
  scopes: readonly Right[] | 'every'
  createdBy: string
  createdAt: Date
  endsAt?: Date
  usedAt?: Date
  revokedAt?: Date
}

const columnsFor = ({ clock }: KeysTableContext): TableColumn<KeyRow>[] => [
  { key: 'name', header: 'Key', cell: (key) => <Name keyRow={key} clock={clock} /> },
  { key: 'scopes', header: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
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
  {
    key: 'ends',
    header: 'Expires',
    width: '8rem',
    wideOnly: true,
    cell: ({ endsAt }) => (endsAt ? <CalendarDate at={endsAt} clock={clock} /> : 'Never'),
  },
  {
    key: 'used',
    header: 'Last used',
    width: '8rem',
    wideOnly: true,
    cell: ({ usedAt }) =>
      usedAt ? <RelativeTime at={usedAt} clock={clock} /> : <span className="text-muted">Never</span>,
  },
]

const actionsFor = (context: KeysTableContext) => (key: KeyRow) =>
  !key.revokedAt && <RevokeKey keyRow={key} {...context} />

export function KeysTable({ keys, ...context }: KeysTableContext & { keys: readonly KeyRow[] }) {
  return (
    <Panel
      flush
      title="Secret keys"
      description="For programs that use the management API. Keep them out of web pages and repositories."
      actions={<CreateKey {...context} />}
    >
      <Table
        caption="Secret keys"
        columns={columnsFor(context)}
        rows={keys}
        rowKey={({ id }) => id}
        empty={
          <EmptyMessage
            icon={<Icon of={KeyRound} size="lg" />}
            title="No secret keys yet"
            body="Create one per program, with only the scopes it needs."
          />
        }
        actions={actionsFor(context)}
      />
    </Panel>
  )
}

function Name({ keyRow: { name, lastFour, revokedAt, endsAt }, clock }: { keyRow: KeyRow; clock: Clock }) {
  const isOver = endsAt !== undefined && endsAt <= clock.now
  return (
    <span className="block py-0.5">
      <span className="flex items-center gap-2 font-medium">
        <span className={`max-w-56 truncate ${revokedAt ? 'text-muted line-through' : ''}`}>{name}</span>
        {revokedAt && <Badge tone="danger">Revoked</Badge>}
        {!revokedAt && isOver && <Badge tone="warning">Expired</Badge>}
      </span>
      <span className="block font-mono text-xs text-muted">tilth_…{lastFour}</span>
    </span>
  )
}

/** Two by name, the rest on hover: what a key may do is read when it matters, not in every row. */
function Scopes({ scopes }: { scopes: readonly Right[] | 'every' }) {
  if (scopes === 'every') return <Badge tone="warning">All scopes</Badge>
  const [first, second, ...others] = scopes
  return (
    <span className="flex flex-wrap gap-1">
      {[first, second].map((scope) => scope && <Badge key={scope}>{scope}</Badge>)}
      {others.length > 0 && (
        <Tooltip label={others.join(', ')}>
          <span>
            <Badge>{`+${others.length}`}</Badge>
          </span>
        </Tooltip>
      )}
    </span>
  )
}

function RevokeKey({ keyRow: { id, name, lastFour }, slug, whyNot }: KeysTableContext & { keyRow: KeyRow }) {
  const { make, question } = useDirectChange()

  return (
    <AlertDialog
      title={`Revoke ${name}?`}
      body={
        <>
          Programs with the key ending in <code className="font-mono">{lastFour}</code> are refused from now
          on. This cannot be undone.
          {question}
        </>
      }
      confirmLabel="Revoke key"
      onConfirm={() => make(() => revokeKey(slug, id), { saved: `${name} revoked` })}
      trigger={<IconButton label={`Revoke ${name}`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />}
    />
  )
}
