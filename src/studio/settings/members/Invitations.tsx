'use client'

import { X } from 'lucide-react'
import type { Role } from '#projects/access'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#studio/parts/Change'
import { roleLabels } from '#studio/parts/roles'
import { CalendarDate } from '#studio/parts/RelativeTime'
import { revokeInvitation } from './members'
import type { MembersTableContext } from './MembersTable'

interface InvitationRow {
  id: string
  role: Role
  email?: string
  invitedBy: string
  createdAt: Date
  endsAt: Date
}

const columnsFor = ({ clock }: MembersTableContext): TableColumn<InvitationRow>[] => [
  {
    key: 'for',
    header: 'Recipient',
    cell: ({ email }) => <span className="font-medium">{email ?? 'Anyone with the link'}</span>,
  },
  { key: 'role', header: 'Role', width: '7rem', cell: ({ role }) => roleLabels[role] },
  { key: 'by', header: 'Invited by', wideOnly: true, cell: ({ invitedBy }) => invitedBy },
  {
    key: 'ends',
    header: 'Expires',
    width: '9rem',
    cell: ({ endsAt }) => <CalendarDate at={endsAt} clock={clock} />,
  },
]

const actionsFor = (context: MembersTableContext) => (invitation: InvitationRow) => (
  <RevokeInvitation invitation={invitation} {...context} />
)

/** Links that have been given out and not been used. */
export function Invitations({
  invitations,
  ...context
}: MembersTableContext & { invitations: readonly InvitationRow[] }) {
  return (
    <Panel flush title="Open invitations">
      <Table
        caption="Open invitations"
        columns={columnsFor(context)}
        rows={invitations}
        rowKey={({ id }) => id}
        empty={
          <EmptyMessage
            title="No open invitations"
            body="An invitation is a link for one person to join this project."
          />
        }
        actions={actionsFor(context)}
      />
    </Panel>
  )
}

function RevokeInvitation({
  invitation: { id, email },
  slug,
  whyNot,
}: MembersTableContext & { invitation: InvitationRow }) {
  const { make, question } = useDirectChange()
  const recipient = email ?? 'anyone with the link'

  return (
    <AlertDialog
      title="Revoke invitation?"
      body={
        <>
          The link for {recipient} stops working immediately.
          {question}
        </>
      }
      confirmLabel="Revoke"
      onConfirm={() => make(() => revokeInvitation(slug, id), { saved: 'Invitation revoked' })}
      trigger={
        <IconButton
          label={`Revoke invitation for ${recipient}`}
          icon={<Icon of={X} />}
          disabledReason={whyNot}
        />
      }
    />
  )
}
