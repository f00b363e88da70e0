'use client'

import { UserMinus } from 'lucide-react'
import type { Role } from '../../../../../../../projects/access'
import { AlertDialog } from '../../../../../../../ui/AlertDialog'
import { Avatar } from '../../../../../../../ui/Avatar'
import { Badge } from '../../../../../../../ui/Badge'
import { EmptyMessage } from '../../../../../../../ui/EmptyMessage'
import { Icon } from '../../../../../../../ui/Icon'
import { IconButton } from '../../../../../../../ui/IconButton'
import { Panel } from '../../../../../../../ui/Panel'
import type { Column } from '../../../../../../../ui/column'
import { Table } from '../../../../../../../ui/Table'
import { useDirectChange } from '../../../../../Change'
import { type Clock, When } from '../../../../../When'
import { InviteDialog } from './InviteDialog'
import { removeMember } from './members'
import { RoleSelect } from './RoleSelect'

export interface MembersGround {
  slug: string
  projectName: string
  clock: Clock
  /** Why this viewer may not change members; absent when they may. */
  whyNot?: string
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

const columnsFor = (ground: MembersGround): Column<MemberRow>[] => [
  { key: 'name', header: 'Member', cell: (member) => <Who {...member} /> },
  {
    key: 'role',
    header: 'Role',
    width: '9.5rem',
    cell: (member) => <RoleSelect member={member} {...ground} />,
  },
  {
    key: 'joined',
    header: 'Joined',
    width: '9rem',
    wideOnly: true,
    cell: ({ joinedAt }) => <When at={joinedAt} clock={ground.clock} />,
  },
]

const actionsFor = (ground: MembersGround) => (member: MemberRow) => (
  <RemoveMember member={member} {...ground} />
)

export function MembersTable({ members, ...ground }: MembersGround & { members: readonly MemberRow[] }) {
  return (
    <Panel
      flush
      title="Members"
      description={ground.whyNot ?? 'Who signs in to this project, and what they may do in it.'}
      actions={<InviteDialog {...ground} />}
    >
      <Table
        caption="Members"
        columns={columnsFor(ground)}
        rows={members}
        rowKey={({ id }) => id}
        empty={<EmptyMessage title="Nobody belongs to this project" />}
        actions={actionsFor(ground)}
      />
    </Panel>
  )
}

function Who({ name, email, isViewer }: MemberRow) {
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
}: MembersGround & { member: MemberRow }) {
  const { make, question } = useDirectChange()
  if (isViewer) return null

  const reason =
    whyNot ?? (role === 'owner' && !mayMakeOwners ? 'Only an owner removes an owner.' : undefined)
  return (
    <AlertDialog
      title={`Remove ${name}?`}
      body={
        <>
          {name} loses access to {projectName} at once. What they did stays in the audit log.
          {question}
        </>
      }
      confirmLabel="Remove"
      onConfirm={() => make(() => removeMember(slug, id), { saved: `${name} removed` })}
      trigger={<IconButton label={`Remove ${name}`} icon={<Icon of={UserMinus} />} disabledReason={reason} />}
    />
  )
}
