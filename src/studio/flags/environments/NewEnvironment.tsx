'use client'

import { Plus } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { createEnvironment } from './actions'

export function NewEnvironment({ slug, whyNot }: { slug: string; whyNot: string | undefined }) {
  return (
    <ChangeDialog
      title="New environment"
      description="All flags start switched off in it."
      change={(formData) => createEnvironment(slug, formData)}
      saved="Environment created"
      trigger={
        <Button variant="primary" icon={<Icon of={Plus} />} disabledReason={whyNot}>
          New environment…
        </Button>
      }
      submit="Create environment"
    >
      <Field
        label="Name"
        name="name"
        hint="Lower-case letters, digits and dashes, such as staging or acme-eu."
      >
        <TextInput mono autoComplete="off" />
      </Field>
      <Field label="Write key" name="writeKey" optional hint="Leave empty to generate one.">
        <TextInput mono autoComplete="off" />
      </Field>
    </ChangeDialog>
  )
}
