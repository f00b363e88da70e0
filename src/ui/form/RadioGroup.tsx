'use client'

import { Field } from '@base-ui/react/field'
import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { FieldNotes } from './Field'
import { Radio, RadioContext, useRadios } from './internal/Radio'

type RadioOption<Value extends string> = {
  value: Value
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean
}

type RadioGroupProps<Value extends string> = {
  label: ReactNode
  labelHidden?: boolean
  hint?: ReactNode
  error?: string
  options: readonly RadioOption<Value>[]
  value?: Value
  defaultValue?: Value
  onChange?: (value: Value) => void
  name?: string
  required?: boolean
  /** Boxes to choose between, for choices that need explaining. */
  boxed?: boolean
}

/** One of a few, each with room for a sentence. */
export function RadioGroup<Value extends string>({
  label,
  labelHidden,
  hint,
  error,
  boxed,
  options,
  name,
  ...choice
}: RadioGroupProps<Value>) {
  const legendId = useId()
  return (
    <Field.Root name={name} invalid={error ? true : undefined} className="flex flex-col gap-2">
      <div role="radiogroup" aria-labelledby={legendId} className="flex flex-col gap-2">
        <span id={legendId} className={labelHidden ? 'sr-only' : 'font-medium'}>
          {label}
        </span>
        <RadioContext value={useRadios({ name, ...choice })}>
          <div className={clsx('flex flex-col', boxed ? 'gap-2 sm:flex-row [&>*]:flex-1' : 'gap-2')}>
            {options.map((option) => (
              <Option key={option.value} {...option} boxed={boxed} />
            ))}
          </div>
        </RadioContext>
      </div>
      <FieldNotes hint={hint} error={error} />
    </Field.Root>
  )
}

function Option({
  value,
  label,
  hint,
  disabled,
  boxed,
}: RadioOption<string> & {
  boxed?: boolean
}) {
  const labelId = useId()
  return (
    <label
      className={clsx(
        'flex h-full items-start gap-2.5',
        disabled ? 'cursor-not-allowed opacity-60' : 'cursor-pointer',
        boxed &&
          'rounded-lg border border-line-strong bg-control p-3 transition-colors hover:bg-control-hover has-checked:border-accent has-checked:bg-accent-soft',
      )}
    >
      <Radio
        value={value}
        disabled={disabled}
        labelId={labelId}
        className={clsx(
          'mt-0.5 size-4 shrink-0 cursor-[inherit] appearance-none rounded-full border border-line-strong bg-control transition-colors',
          'checked:border-accent checked:bg-accent checked:bg-[radial-gradient(var(--color-on-accent)_0.1875rem,transparent_0.21875rem)]',
        )}
      />
      <span id={labelId} className="flex flex-col gap-0.5">
        <span className={boxed ? 'font-medium' : ''}>{label}</span>
        {hint && <span className="text-xs text-muted">{hint}</span>}
      </span>
    </label>
  )
}
