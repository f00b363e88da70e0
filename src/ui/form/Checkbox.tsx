'use client'

import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Field } from '@base-ui/react/field'
import { clsx } from 'clsx'
import { Check, Minus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { FieldNotes } from './Field'
import { Icon } from '../Icon'

export type CheckboxProps = {
  label: ReactNode
  /** Said, not shown: for a box in a table row. */
  labelHidden?: boolean
  hint?: ReactNode
  error?: string
  checked?: boolean
  defaultChecked?: boolean
  /** Some of what it stands for is checked. */
  indeterminate?: boolean
  onChange?: (checked: boolean) => void
  name?: string
  value?: string
  required?: boolean
  disabled?: boolean
}

export function Checkbox({
  label,
  labelHidden,
  hint,
  error,
  onChange,
  indeterminate,
  ...box
}: CheckboxProps) {
  const labelId = useId()
  return (
    <Field.Root invalid={error ? true : undefined} className="flex items-start gap-2.5">
      <Base.Root
        {...box}
        aria-labelledby={labelId}
        indeterminate={indeterminate}
        onCheckedChange={onChange}
        className={clsx(
          'mt-0.5 grid size-4 shrink-0 cursor-pointer place-items-center rounded-sm border',
          'border-line-strong bg-control text-on-accent transition-colors',
          'hover:not-data-checked:border-faint data-checked:border-accent data-checked:bg-accent',
          'data-disabled:cursor-not-allowed data-disabled:opacity-50 data-indeterminate:border-accent',
          'data-indeterminate:bg-accent data-invalid:border-danger',
        )}
      >
        <Base.Indicator className="flex">
          <Icon of={indeterminate ? Minus : Check} size="sm" className="[stroke-width:2.5]" />
        </Base.Indicator>
      </Base.Root>
      <BesideText {...{ label, labelId, labelHidden, hint, error }} />
    </Field.Root>
  )
}

/** The words of a control that stands beside them. It names them itself: Base UI does so only once it runs. */
export function BesideText({
  label,
  labelId,
  labelHidden,
  hint,
  error,
}: Pick<CheckboxProps, 'label' | 'labelHidden' | 'hint' | 'error'> & { labelId: string }) {
  return (
    <span className={labelHidden ? 'sr-only' : 'flex min-w-0 flex-col gap-0.5'}>
      <Field.Label id={labelId} className="cursor-pointer font-medium">
        {label}
      </Field.Label>
      <FieldNotes hint={hint} error={error} />
    </span>
  )
}
