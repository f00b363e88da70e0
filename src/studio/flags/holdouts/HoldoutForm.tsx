'use client'

import { Pencil, Plus } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { NumberInput } from '#ui/form/NumberInput'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { saveHoldout } from './actions'

interface HoldoutFormProps {
  slug: string
  /** Absent for a new one. */
  holdout?: { id: number; name: string; percentage: number }
  whyNot: string | undefined
}

export function HoldoutForm({ slug, holdout, whyNot }: HoldoutFormProps) {
  return (
    <ChangeDialog
      title={holdout ? `Change ${holdout.name}` : 'New holdout'}
      description="Held-out people stay held out when the share grows."
      change={(formData) =>
        saveHoldout(slug, holdout?.id, {
          name: formData.get('name'),
          percentage: Number(formData.get('percentage')),
        })
      }
      saved="Holdout saved"
      trigger={
        holdout ? (
          <IconButton label={`Change ${holdout.name}`} icon={<Icon of={Pencil} />} disabledReason={whyNot} />
        ) : (
          <Button variant="primary" icon={<Icon of={Plus} />} disabledReason={whyNot}>
            New holdout…
          </Button>
        )
      }
      submit={holdout ? 'Save' : 'Create holdout'}
    >
      <Field label="Name" name="name" hint="Such as “First quarter”.">
        <TextInput autoComplete="off" defaultValue={holdout?.name} />
      </Field>
      <Field label="Share of people" name="percentage">
        <NumberInput
          name="percentage"
          defaultValue={holdout?.percentage ?? 5}
          min={0}
          max={100}
          step={0.01}
          unit="%"
        />
      </Field>
    </ChangeDialog>
  )
}
