'use client'

import { Bookmark } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
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
  const router = useNavigation()

  return (
    <ChangeDialog
      title="Save as cohort"
      description="A static list of these people."
      trigger={
        <Button icon={<Icon of={Bookmark} />} disabledReason={whyNot}>
          Save as cohort…
        </Button>
      }
      change={(formData) => savePeopleAsCohort(slug, question, point, formData)}
      saved="Cohort created"
      onDone={(done) => router.push(paths.cohort(slug, done.id))}
      submit="Create cohort"
    >
      <Field label="Name" name="name">
        <TextInput autoComplete="off" />
      </Field>
    </ChangeDialog>
  )
}
