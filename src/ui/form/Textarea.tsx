'use client'

import { Field } from '@base-ui/react/field'
import { clsx } from 'clsx'
import type { ComponentPropsWithRef } from 'react'
import { controlClass } from './internal/control'

type TextareaProps = Omit<
  ComponentPropsWithRef<'textarea'>,
  'className' | 'defaultValue' | 'value' | 'onChange'
> & {
  value?: string
  defaultValue?: string
  onChange?: (value: string) => void
  mono?: boolean
}

/** Several lines of text; grows with what is written. Belongs in a Field, or needs `aria-label`. */
export function Textarea({ value, defaultValue, onChange, mono, rows = 3, ...props }: TextareaProps) {
  return (
    <Field.Control
      value={value}
      defaultValue={defaultValue}
      onValueChange={onChange}
      render={
        <textarea
          {...props}
          rows={rows}
          className={clsx(
            controlClass,
            'block h-auto field-sizing-content max-h-96 min-h-16 py-1.5',
            mono && 'font-mono text-xs',
          )}
        />
      }
    />
  )
}
