'use client'

import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import { Button } from '#ui/Button'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { Icon } from '#ui/Icon'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '../../paths'
import { useChange } from '../Change'
import { createDashboard } from './changes'

interface NewDashboardProps {
  slug: string
  templates: readonly { name: string; label: string; about: string }[]
  whyNot?: string
}

/** Begins a dashboard, of nothing or of what others find useful. */
export function NewDashboard({ slug, templates, whyNot }: NewDashboardProps) {
  const id = useId()
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  const { form, isPending, notes, forget } = useChange({
    change: (formData) => createDashboard(slug, formData),
    onDone: (made) => router.push(paths.dashboard(slug, made.id)),
  })

  return (
    <Dialog
      title="New dashboard"
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        forget()
      }}
      trigger={
        <Button variant="primary" icon={<Icon of={Plus} />} disabledReason={whyNot}>
          New dashboard…
        </Button>
      }
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" form={id} busy={isPending}>
            Create
          </Button>
        </>
      }
    >
      <Form id={id} {...form}>
        {notes}
        <Field label="Name" name="name">
          <TextInput autoComplete="off" />
        </Field>
        <RadioGroup
          label="Begin with"
          name="template"
          defaultValue="nothing"
          options={[
            { value: 'nothing', label: 'Nothing', hint: 'An empty dashboard.' },
            ...templates.map(({ name, label, about }) => ({ value: name, label, hint: about })),
          ]}
        />
      </Form>
    </Dialog>
  )
}
