'use client'

import { UserPlus } from 'lucide-react'
import { useId, useState } from 'react'
import { type Role, roles } from '#projects/access'
import { Button } from '#ui/Button'
import { CopyField } from '#ui/copy/CopyField'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { Icon } from '#ui/Icon'
import { RadioGroup } from '#ui/form/RadioGroup'
import { EmailInput } from '#app/(studio)/EmailInput'
import { invitationLink } from '#app/paths'
import { useChange } from '#app/(studio)/Change'
import { roleLabels, roleDescriptions } from '#app/(studio)/roles'
import { invite } from './members'
import type { MembersTableContext } from './MembersTable'

/** Creates an invitation, then shows its link once: the token is not stored. */
export function InviteDialog({ slug, whyNot, mayMakeOwners }: MembersTableContext) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [token, setToken] = useState<string>()
  const { form, isPending, notes, forget } = useChange({
    change: (formData) => invite(slug, formData),
    onDone: (done) => setToken(done.token),
  })

  function show(open: boolean) {
    setOpen(open)
    if (!open) return
    forget()
    setToken(undefined)
  }

  return (
    <Dialog
      title={token ? 'The invitation is ready' : 'Invite a member'}
      description={token ? undefined : 'Tilth sends no e-mail: you get a link and pass it on yourself.'}
      open={isOpen}
      onOpenChange={show}
      trigger={
        <Button variant="primary" size="sm" icon={<Icon of={UserPlus} />} disabledReason={whyNot}>
          Invite…
        </Button>
      }
      footer={token ? <Done /> : <Send form={id} isPending={isPending} />}
    >
      {token ? (
        <InvitationLink token={token} />
      ) : (
        <Form id={id} {...form}>
          {notes}
          <InvitationFields mayMakeOwners={mayMakeOwners} />
        </Form>
      )}
    </Dialog>
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
        It works once, within seven days, and is not shown again. Anyone who opens it becomes a member: send
        it to that person only.
      </p>
    </div>
  )
}

const Done = () => (
  <DialogClose>
    <Button variant="primary">Done</Button>
  </DialogClose>
)

const Send = ({ form, isPending }: { form: string; isPending: boolean }) => (
  <>
    <DialogClose>
      <Button>Cancel</Button>
    </DialogClose>
    <Button type="submit" variant="primary" form={form} busy={isPending}>
      Create the link
    </Button>
  </>
)

const optionsFor = (mayMakeOwners: boolean) =>
  roles.toReversed().map((role) => ({
    value: role,
    label: roleLabels[role],
    hint: role === 'owner' && !mayMakeOwners ? 'Only an owner makes an owner.' : roleDescriptions[role],
    disabled: role === 'owner' && !mayMakeOwners,
  }))
