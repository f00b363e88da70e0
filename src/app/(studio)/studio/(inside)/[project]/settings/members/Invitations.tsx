'use client'

import { X } from 'lucide-react'
import type { Role } from '../../../../../../../projects/access'
import { AlertDialog } from '../../../../../../../ui/AlertDialog'
import { EmptyMessage } from '../../../../../../../ui/EmptyMessage'
import { Icon } from '../../../../../../../ui/Icon'
import { IconButton } from '../../../../../../../ui/IconButton'
import { Panel } from '../../../../../../../ui/Panel'
import type { Column } from '../../../../../../../ui/column'
import { Table } from '../../../../../../../ui/Table'
import { useDirectChange } from '../../../../../Change'
import { roleLabels } from '../../../../../roles'
import { OnDay } from '../../../../../When'
import { revokeInvitation } from './members'
import type { MembersGround } from './MembersTable'

interface InvitationRow {
  id: string
  role: Role
  email?: string
  invitedBy: string
  createdAt: Date
  endsAt: Date
}

const columnsFor = ({ clock }: MembersGround): Column<InvitationRow>[] => [
  {
    key: 'for',
    header: 'For',
    cell: ({ email }) => <span className="font-medium">{email ?? 'Whoever has the link'}</span>,
  },
  { key: 'role', header: 'Role', width: '7rem', cell: ({ role }) => roleLabels[role] },
  { key: 'by', header: 'Invited by', wideOnly: true, cell: ({ invitedBy }) => invitedBy },
  { key: 'ends', header: 'Ends', width: '9rem', cell: ({ endsAt }) => <OnDay at={endsAt} clock={clock} /> },
]

const actionsFor = (ground: MembersGround) => (invitation: InvitationRow) => (
  <RevokeInvitation invitation={invitation} {...ground} />
)

/** Links that have been given out and not been used. */
export function Invitations({
  invitations,
  ...ground
}: MembersGround & { invitations: readonly InvitationRow[] }) {
  return (
    <Panel flush title="Open invitations">
      <Table
        caption="Open invitations"
        columns={columnsFor(ground)}
        rows={invitations}
        rowKey={({ id }) => id}
        empty={
          <EmptyMessage
            title="No invitation is open"
            body="An invitation is a link that brings one person into this project."
          />
        }
        actions={actionsFor(ground)}
      />
    </Panel>
  )
}

function RevokeInvitation({
  invitation: { id, email },
  slug,
  whyNot,
}: MembersGround & { invitation: InvitationRow }) {
  const { make, question } = useDirectChange()
  const whose = email ?? 'whoever has the link'

  return (
    <AlertDialog
      title="Take back this invitation?"
      body={
        <>
          The link for {whose} stops working at once.
          {question}
        </>
      }
      confirmLabel="Take back"
      onConfirm={() => make(() => revokeInvitation(slug, id), { saved: 'Invitation taken back' })}
      trigger={
        <IconButton
          label={`Take back the invitation for ${whose}`}
          icon={<Icon of={X} />}
          disabledReason={whyNot}
        />
      }
    />
  )
}
