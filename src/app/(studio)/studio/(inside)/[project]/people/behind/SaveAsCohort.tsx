'use client'

import { Bookmark } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useId } from 'react'
import { Button } from '#ui/Button'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#app/paths'
import { useChange } from '#app/(studio)/Change'
import { savePeopleAsCohort } from '../actions'

/** Makes a cohort of exactly these persons, whatever they do from here on. */
export function SaveAsCohort({
  slug,
  question,
  point,
  whyNot,
}: {
  slug: string
  question: string
  point: string
  whyNot: string | undefined
}) {
  const id = useId()
  const router = useRouter()
  const { form, isPending, notes } = useChange({
    change: (formData) => savePeopleAsCohort(slug, question, point, formData),
    saved: 'The cohort is made',
    onDone: (done) => router.push(paths.cohort(slug, done.id)),
  })

  return (
    <Dialog
      title="Save as a cohort"
      description="Exactly these persons, whatever they do from here on."
      trigger={
        <Button icon={<Icon of={Bookmark} />} disabledReason={whyNot}>
          Save as cohort…
        </Button>
      }
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" form={id} busy={isPending}>
            Make the cohort
          </Button>
        </>
      }
    >
      <Form id={id} {...form}>
        {notes}
        <Field label="Name" name="name">
          <TextInput autoComplete="off" />
        </Field>
      </Form>
    </Dialog>
  )
}
