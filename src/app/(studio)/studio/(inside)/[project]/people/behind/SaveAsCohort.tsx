'use client'

import { Bookmark } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#app/paths'
import { ChangeDialog } from '#app/(studio)/ChangeDialog'
import { savePeopleAsCohort } from '../actions'

/** Creates a cohort as a fixed list of these persons. */
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
  const router = useRouter()

  return (
    <ChangeDialog
      title="Save as a cohort"
      description="A fixed list of these persons."
      trigger={
        <Button icon={<Icon of={Bookmark} />} disabledReason={whyNot}>
          Save as cohort…
        </Button>
      }
      change={(formData) => savePeopleAsCohort(slug, question, point, formData)}
      saved="The cohort is made"
      onDone={(done) => router.push(paths.cohort(slug, done.id))}
      submit="Make the cohort"
    >
      <Field label="Name" name="name">
        <TextInput autoComplete="off" />
      </Field>
    </ChangeDialog>
  )
}
