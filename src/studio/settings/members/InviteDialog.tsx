'use client'

import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { type Role, roles } from '#projects/access'
import { Button } from '#ui/Button'
import { CopyField } from '#ui/copy/CopyField'
import { DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { RadioGroup } from '#ui/form/RadioGroup'
import { EmailInput } from '#studio/parts/EmailInput'
import { invitationLink } from '#studio/paths'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { roleLabels, roleDescriptions } from '#studio/parts/roles'
import { invite } from './members'
import type { MembersTableContext } from './MembersTable'

/** Creates an invitation, then shows its link once: the token is not stored. */
export function InviteDialog({ slug, whyNot, mayMakeOwners, isInviting }: MembersTableContext) {
  const [isOpen, setOpen] = useState(isInviting && whyNot === undefined)
  const [token, setToken] = useState<string>()

  return (
    <ChangeDialog
      title={token ? 'Invitation created' : 'Invite a member'}
      description={token ? undefined : 'You get a link to send to the new member yourself.'}
      open={isOpen}
      onOpen={() => {
        setToken(undefined)
        setOpen(true)
      }}
      onClose={() => setOpen(false)}
      change={(formData) => invite(slug, formData)}
      onDone={(done) => setToken(done.token)}
      trigger={
        <Button variant="primary" size="sm" icon={<Icon of={UserPlus} />} disabledReason={whyNot}>
          Invite…
        </Button>
      }
      submit="Create link"
      outcome={token ? { body: <InvitationLink token={token} />, footer: <Done /> } : undefined}
    >
      <InvitationFields mayMakeOwners={mayMakeOwners} />
    </ChangeDialog>
  )
}

function InvitationFields({ mayMakeOwners }: { mayMakeOwners: boolean }) {
  return (
    <>
      <RadioGroup<Role> label="Role" name="role" defaultValue="viewer" options={optionsFor(mayMakeOwners)} />
      <Field
        label="E-mail"
        name="email"
        optional
        hint="Only this address can accept. Leave empty to allow anyone with the link."
      >
        <EmailInput autoComplete="off" />
      </Field>
    </>
  )
}

function InvitationLink({ token }: { token: string }) {
  return (
    <div className="flex flex-col gap-3">
      <CopyField label="Invitation link" value={invitationLink(location.origin, token)} />
      <p className="text-muted">
        It works once, expires after seven days, and is not shown again. Anyone who opens it can join.
      </p>
    </div>
  )
}

const Done = () => (
  <DialogClose>
    <Button variant="primary">Done</Button>
  </DialogClose>
)

const optionsFor = (mayMakeOwners: boolean) =>
  roles.toReversed().map((role) => ({
    value: role,
    label: roleLabels[role],
    hint: role === 'owner' && !mayMakeOwners ? 'Only owners can add owners.' : roleDescriptions[role],
    disabled: role === 'owner' && !mayMakeOwners,
  }))
