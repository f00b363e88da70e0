'use client'

import { Pencil } from 'lucide-react'
import type { NameDefinition } from '#insights/catalogue/catalogue'
import type { DefinedType } from '#insights/catalogue/definitions'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Textarea } from '#ui/form/Textarea'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { define } from './define'

interface DefineDialogProps {
  slug: string
  type: DefinedType
  name: string
  label: string
  definition: NameDefinition
  whyNot: string | undefined
}

/** Describes, verifies or hides one event or property. */
export function DefineDialog({ slug, type, name, label, definition, whyNot }: DefineDialogProps) {
  const { description, isHidden, isVerified } = definition
  return (
    <ChangeDialog
      title={`Define ${label}`}
      trigger={<IconButton label={`Define ${label}`} icon={<Icon of={Pencil} />} disabledReason={whyNot} />}
      change={(formData) => define(slug, type, name, formData)}
      saved={`${label} defined`}
      submit="Save"
    >
      <Field label="Description" name="description" optional>
        <Textarea name="description" rows={3} defaultValue={description} />
      </Field>
      <Checkbox
        name="isVerified"
        label="Verified"
        hint="It means what its description says."
        defaultChecked={isVerified}
      />
      <Checkbox
        name="isHidden"
        label="Hidden"
        hint="Left out of lists to choose from. It is stored and counted as before."
        defaultChecked={isHidden}
      />
    </ChangeDialog>
  )
}
