'use client'

import { createContext, use, useId } from 'react'
import { useNoForm } from './no-form'

interface Radios {
  name: string
  /** The form that the radios belong to; undefined outside of one. */
  form: string | undefined
  value: string | undefined
  defaultValue: string | undefined
  required: boolean | undefined
  onChange: (value: string) => void
}

export const RadioContext = createContext<Radios | undefined>(undefined)

/** The state that the radios of one group share. Without a name, they are in no form. */
export function useRadios<Value extends string>({
  name,
  value,
  defaultValue,
  required,
  onChange,
}: {
  name?: string
  value?: Value
  defaultValue?: Value
  required?: boolean
  onChange?: (value: Value) => void
}): Radios {
  const id = useId()
  const noForm = useNoForm()
  return {
    name: name ?? id,
    form: name === undefined ? noForm : undefined,
    value,
    defaultValue,
    required,
    // the values of a group are those of its options
    onChange: (next) => onChange?.(next as Value),
  }
}

/** One of a group; the browser moves through them by arrow keys. */
export function Radio({
  value,
  disabled,
  labelId,
  className,
}: {
  value: string
  disabled?: boolean
  labelId: string
  className: string
}) {
  const group = use(RadioContext)
  if (!group) throw new Error('A Radio needs a group around it.')
  const isControlled = group.value !== undefined
  return (
    <input
      type="radio"
      name={group.name}
      form={group.form}
      value={value}
      aria-labelledby={labelId}
      disabled={disabled}
      aria-disabled={disabled || undefined}
      required={group.required}
      {...(isControlled
        ? { checked: group.value === value }
        : { defaultChecked: group.defaultValue === value })}
      onChange={() => group.onChange(value)}
      className={className}
    />
  )
}
