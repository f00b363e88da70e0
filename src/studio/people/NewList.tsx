'use client'

import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { useNavigation } from '#ui/navigation/Navigation'
import { type PeopleFilter, paths } from '#studio/paths'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { createPersonList } from './list-actions'

interface NewListProps {
  slug: string
  question: PeopleFilter
  open: boolean
  onClose: () => void
}

/** The dialog in which a list of people is named and saved. */
export function NewList({ slug, question, open, onClose }: NewListProps) {
  const navigation = useNavigation()
  return (
    <ChangeDialog
      title="Save list"
      size="sm"
      open={open}
      onClose={onClose}
      change={(form) => createPersonList(slug, question, form)}
      saved="List saved"
      onDone={({ id }) => {
        onClose()
        navigation.push(paths.people(slug, { ...question, list: id }))
      }}
      submit="Save list"
    >
      <Field label="Name" name="name" hint="Such as “Pro customers in Germany”.">
        <TextInput autoComplete="off" />
      </Field>
      <Checkbox label="Share with the project" name="isShared" defaultChecked />
    </ChangeDialog>
  )
}
