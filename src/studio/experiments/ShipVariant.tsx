'use client'

import { Rocket } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Textarea } from '#ui/form/Textarea'
import { Icon } from '#ui/Icon'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { asText } from '#studio/parts/form-data'
import { shipVariant } from './actions'

interface ShipVariantProps {
  slug: string
  id: string
  name: string
  flag: string
  variants: readonly string[]
  /** The variant that the results speak for. */
  advised?: string
  whyNot: string | undefined
}

/** Gives one variant to everyone and ends the experiment. */
export function ShipVariant({ slug, id, name, flag, variants, advised, whyNot }: ShipVariantProps) {
  return (
    <ChangeDialog
      title={advised === undefined ? 'Ship a variant' : `Ship “${advised}”`}
      description={
        <>
          The flag <span className="font-mono">{flag}</span> will give this variant to everyone in production:
          one condition set replaces those of the experiment. A holdout stays held out. The experiment ends.
        </>
      }
      change={(form) =>
        shipVariant(slug, id, { variant: asText(form.get('variant')), note: asText(form.get('note')) })
      }
      saved={`${name} has ended and its variant is shipped`}
      trigger={
        <Button
          variant={advised === undefined ? 'secondary' : 'primary'}
          size={advised === undefined ? 'md' : 'sm'}
          icon={<Icon of={Rocket} />}
          disabledReason={whyNot}
        >
          {advised === undefined ? 'Ship a variant…' : `Ship “${advised}”…`}
        </Button>
      }
      submit="Ship it to everyone"
    >
      <Field label="Variant" name="variant">
        <Select
          name="variant"
          required
          options={variants.map((value) => ({ value, label: value }))}
          {...(advised !== undefined && { defaultValue: advised })}
        />
      </Field>
      <Field label="Why" name="note" optional hint="It is kept as the conclusion of the experiment.">
        <Textarea name="note" rows={3} />
      </Field>
    </ChangeDialog>
  )
}
