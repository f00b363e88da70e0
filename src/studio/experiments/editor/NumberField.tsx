import type { ComponentProps } from 'react'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'

type NumberFieldProps = Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'error'> &
  Pick<ComponentProps<typeof NumberInput>, 'min' | 'max' | 'step' | 'unit'> & {
    value: number
    whenEmpty: number
    onChange: (value: number) => void
  }

/** A number of the settings of an experiment. */
export const NumberField = ({ label, hint, error, whenEmpty, onChange, ...input }: NumberFieldProps) => (
  <Field {...{ label, hint, error }}>
    <NumberInput {...input} onChange={(next) => onChange(next ?? whenEmpty)} />
  </Field>
)
