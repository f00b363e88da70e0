'use client'

import { Field } from '@base-ui/react/field'
import { Switch as Base } from '@base-ui/react/switch'
import { clsx } from 'clsx'
import { useId } from 'react'
import { BesideText, type CheckboxProps } from './Checkbox'

export type SwitchProps = Omit<CheckboxProps, 'indeterminate'> & {
  /** `end` puts the switch after its words, at the far edge: for rows of settings. */
  place?: 'start' | 'end'
}

/** On or off, at once, without a Save button. */
export function Switch({
  label,
  labelHidden,
  hint,
  error,
  onChange,
  place = 'start',
  ...control
}: SwitchProps) {
  const labelId = useId()
  return (
    <Field.Root
      invalid={error ? true : undefined}
      className={clsx(
        'flex items-start gap-2.5',
        place === 'end' && 'flex-row-reverse justify-between gap-6',
      )}
    >
      <Base.Root
        {...control}
        aria-labelledby={labelId}
        onCheckedChange={onChange}
        className={clsx(
          'mt-px flex h-4.5 w-8 shrink-0 cursor-pointer items-center rounded-full bg-line-strong p-0.5',
          'transition-colors data-checked:bg-accent data-disabled:cursor-not-allowed',
          'data-disabled:opacity-50',
        )}
      >
        <Base.Thumb
          className={clsx(
            'size-3.5 rounded-full bg-knob shadow-[0_1px_2px_#0000003d]',
            'transition-[translate,background-color] data-checked:bg-on-accent data-checked:translate-x-3.5',
          )}
        />
      </Base.Root>
      <BesideText {...{ label, labelId, labelHidden, hint, error }} />
    </Field.Root>
  )
}
