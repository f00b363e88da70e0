'use client'

import { Pencil, Plus } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { saveLayer } from './actions'

interface LayerFormProps {
  slug: string
  /** Absent for a new one. */
  layer?: { id: number; name: string }
  whyNot: string | undefined
}

export function LayerForm({ slug, layer, whyNot }: LayerFormProps) {
  return (
    <ChangeDialog
      title={layer ? `Rename ${layer.name}` : 'New layer'}
      description="Flags take slices of it. No visitor is in two slices."
      change={(formData) => saveLayer(slug, layer?.id, { name: formData.get('name') })}
      saved="Layer saved"
      trigger={
        layer ? (
          <IconButton label={`Rename ${layer.name}`} icon={<Icon of={Pencil} />} disabledReason={whyNot} />
        ) : (
          <Button icon={<Icon of={Plus} />} disabledReason={whyNot}>
            New layer…
          </Button>
        )
      }
      submit={layer ? 'Save' : 'Create layer'}
    >
      <Field label="Name" name="name" hint="What its flags change, such as “Checkout”.">
        <TextInput autoComplete="off" defaultValue={layer?.name} />
      </Field>
    </ChangeDialog>
  )
}
