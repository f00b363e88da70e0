'use client'

import { Field } from '@base-ui/react/field'
import { Fieldset } from '@base-ui/react/fieldset'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup as Base } from '@base-ui/react/radio-group'
import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { FieldNotes } from './Field'

export type RadioOption<Value extends string> = {
  value: Value
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean
}

export type RadioGroupProps<Value extends string> = {
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
  ...group
}: RadioGroupProps<Value>) {
  const { options, onChange, name, ...choice } = group
  return (
    <Field.Root name={name} invalid={error ? true : undefined} className="flex flex-col gap-2">
      <Fieldset.Root
        render={<Base<Value> {...choice} onValueChange={onChange} />}
        className="flex flex-col gap-2"
      >
        <Fieldset.Legend className={labelHidden ? 'sr-only' : 'font-medium'}>{label}</Fieldset.Legend>
        <div className={clsx('flex flex-col', boxed ? 'gap-2 sm:flex-row [&>*]:flex-1' : 'gap-2')}>
          {options.map((option) => (
            <Option key={option.value} {...option} boxed={boxed} />
          ))}
        </div>
      </Fieldset.Root>
      <FieldNotes hint={hint} error={error} />
    </Field.Root>
  )
}

function Option<Value extends string>({
  value,
  label,
  hint,
  disabled,
  boxed,
}: RadioOption<Value> & { boxed?: boolean }) {
  const labelId = useId()
  return (
    <Field.Item disabled={disabled}>
      <Field.Label
        className={clsx(
          'flex h-full cursor-pointer items-start gap-2.5 data-disabled:cursor-not-allowed data-disabled:opacity-60',
          boxed &&
            'rounded-lg border border-line-strong bg-control p-3 transition-colors hover:bg-control-hover has-data-checked:border-accent has-data-checked:bg-accent-soft',
        )}
      >
        <Radio.Root
          value={value}
          // said here because Base UI finds its label only once the page is alive
          aria-labelledby={labelId}
          className={clsx(
            'mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border border-line-strong bg-control',
            'transition-colors data-checked:border-accent data-checked:bg-accent',
          )}
        >
          <Radio.Indicator className="size-1.5 rounded-full bg-on-accent" />
        </Radio.Root>
        <span id={labelId} className="flex flex-col gap-0.5">
          <span className={boxed ? 'font-medium' : ''}>{label}</span>
          {hint && <span className="text-xs text-muted">{hint}</span>}
        </span>
      </Field.Label>
    </Field.Item>
  )
}
