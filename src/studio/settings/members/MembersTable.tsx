'use client'

import { UserMinus } from 'lucide-react'
import type { Role } from '#projects/access'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Avatar } from '#ui/Avatar'
import { Badge } from '#ui/Badge'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#studio/parts/Change'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { InviteDialog } from './InviteDialog'
import { removeMember } from './members'
import { RoleSelect } from './RoleSelect'

export interface MembersTableContext {
  slug: string
  projectName: string
  clock: Clock
  /** Why this viewer may not change members; absent when they may. */
  whyNot?: string
  /** The form of an invitation is open at first. */
  isInviting: boolean
  mayMakeOwners: boolean
}

export interface MemberRow {
  id: string
  name: string
  email: string
  role: Role
  joinedAt: Date
  isViewer: boolean
}

const columnsFor = (context: MembersTableContext): TableColumn<MemberRow>[] => [
  { key: 'name', header: 'Member', cell: (member) => <MemberName {...member} /> },
  {
    key: 'role',
    header: 'Role',
    width: '9.5rem',
    cell: (member) => <RoleSelect member={member} {...context} />,
  },
  {
    key: 'joined',
    header: 'Joined',
    width: '9rem',
    wideOnly: true,
    cell: ({ joinedAt }) => <RelativeTime at={joinedAt} clock={context.clock} />,
  },
]

const actionsFor = (context: MembersTableContext) => (member: MemberRow) => (
  <RemoveMember member={member} {...context} />
)

export function MembersTable({
  members,
  ...context
}: MembersTableContext & { members: readonly MemberRow[] }) {
  return (
    <Panel
      flush
      title="Members"
      description={context.whyNot ?? 'Members of this project and their roles.'}
      actions={<InviteDialog key={String(context.isInviting)} {...context} />}
    >
      <Table
        caption="Members"
        columns={columnsFor(context)}
        rows={members}
        rowKey={({ id }) => id}
        empty={<EmptyMessage title="No members" />}
        actions={actionsFor(context)}
      />
    </Panel>
  )
}

function MemberName({ name, email, isViewer }: MemberRow) {
  return (
    <span className="flex items-center gap-3 py-1">
      <Avatar name={name} decorative />
      <span className="min-w-0">
        <span className="flex items-center gap-2 font-medium">
          <span className="max-w-64 truncate">{name}</span>
          {isViewer && <Badge>You</Badge>}
        </span>
        <span className="block max-w-72 truncate text-xs text-muted">{email}</span>
      </span>
    </span>
  )
}

function RemoveMember({
  member: { id, name, role, isViewer },
  projectName,
  slug,
  whyNot,
  mayMakeOwners,
}: MembersTableContext & { member: MemberRow }) {
  const { make, question } = useDirectChange()
  if (isViewer) return null

  const reason = whyNot ?? (role === 'owner' && !mayMakeOwners ? 'Only owners can remove owners.' : undefined)
  return (
    <AlertDialog
      title={`Remove ${name}?`}
      body={
        <>
          {name} loses access to {projectName} immediately. Their actions stay in the audit log.
          {question}
        </>
      }
      confirmLabel="Remove"
      onConfirm={() => make(() => removeMember(slug, id), { saved: `${name} removed` })}
      trigger={<IconButton label={`Remove ${name}`} icon={<Icon of={UserMinus} />} disabledReason={reason} />}
    />
  )
}
