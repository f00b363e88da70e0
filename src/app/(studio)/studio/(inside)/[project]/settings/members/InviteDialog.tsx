'use client'

import { UserPlus } from 'lucide-react'
import { useId, useState } from 'react'
import { type Role, roles } from '../../../../../../../projects/access'
import { Button } from '../../../../../../../ui/Button'
import { CopyField } from '../../../../../../../ui/CopyField'
import { Dialog, DialogClose } from '../../../../../../../ui/Dialog'
import { Field } from '../../../../../../../ui/Field'
import { Form } from '../../../../../../../ui/Form'
import { Icon } from '../../../../../../../ui/Icon'
import { RadioGroup } from '../../../../../../../ui/RadioGroup'
import { EmailInput } from '../../../../../EmailInput'
import { invitationLink } from '../../../../../../paths'
import { useChange } from '../../../../../Change'
import { roleLabels, roleWords } from '../../../../../roles'
import { invite } from './members'
import type { MembersGround } from './MembersTable'

/** Makes an invitation, then shows its link: once, because nobody keeps it. */
export function InviteDialog({ slug, whyNot, mayMakeOwners }: MembersGround) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [token, setToken] = useState<string>()
  const { form, isPending, notes, forget } = useChange({
    change: (given) => invite(slug, given),
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
      title={token ? 'The invitation is ready' : 'Invite somebody'}
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
        hint="When given, only this address may accept. Without it, whoever has the link may."
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
        It works once, within seven days, and cannot be shown again. Whoever opens it becomes a member: send
        it to that person alone.
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
    hint: role === 'owner' && !mayMakeOwners ? 'Only an owner makes an owner.' : roleWords[role],
    disabled: role === 'owner' && !mayMakeOwners,
  }))
