'use client'

import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../../../../../../../ui/Button'
import { Dialog, DialogClose } from '../../../../../../../ui/Dialog'
import { Field } from '../../../../../../../ui/Field'
import { Form } from '../../../../../../../ui/Form'
import { Icon } from '../../../../../../../ui/Icon'
import { TextInput } from '../../../../../../../ui/TextInput'
import { useChange } from '../../../../../Change'
import { createEnvironment } from './actions'

export function NewEnvironment({ slug, whyNot }: { slug: string; whyNot: string | undefined }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { form, isPending, notes, forget } = useChange({
    change: (given) => createEnvironment(slug, given),
    saved: 'The environment is there',
    onDone: () => setOpen(false),
  })

  return (
    <Dialog
      title="New environment"
      description="Flags begin switched off there."
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        if (open) forget()
      }}
      trigger={
        <Button variant="primary" icon={<Icon of={Plus} />} disabledReason={whyNot}>
          New environment…
        </Button>
      }
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" form={id} busy={isPending}>
            Create the environment
          </Button>
        </>
      }
    >
      <Form id={id} {...form}>
        {notes}
        <Field
          label="Name"
          name="name"
          hint="Lower-case letters, digits and dashes: staging, preview, acme-eu."
        >
          <TextInput mono autoComplete="off" />
        </Field>
        <Field
          label="Write key"
          name="writeKey"
          optional
          hint="One that SDKs out there send already. Without it, one is made."
        >
          <TextInput mono autoComplete="off" />
        </Field>
      </Form>
    </Dialog>
  )
}
