'use client'

import { Field as Base } from '@base-ui/react/field'
import { type MouseEvent, type ReactNode, useId } from 'react'
import { ErrorLine } from './internal/ErrorLine'
import { FieldContext, unloadedControl } from './internal/field-around'

type FieldProps = {
  label: ReactNode
  /** Hides the label from sight, because the content beside the field already says it. */
  labelHidden?: boolean
  hint?: ReactNode
  error?: string
  /** Says "optional" beside the label. Mark the few that are, not the many that are not. */
  optional?: boolean
  /** Ties the field to `errors` of a Form. */
  name?: string
  /** One control: TextInput, Select, Combobox, NumberInput … */
  children: ReactNode
}

function focusUnloadedControl({ currentTarget }: MouseEvent<HTMLElement>) {
  const control = currentTarget.closest('[data-field]')?.querySelector(`[${unloadedControl}]`)
  if (control instanceof HTMLElement) control.focus()
}

/** A labelled control. Hint and error are tied to it, so that they are read out with it. */
export function Field({ label, labelHidden, hint, error, optional, name, children }: FieldProps) {
  const labelId = useId()
  const notesId = useId()
  const around = { name, labelId, notesId: hint || error ? notesId : undefined, Control: Base.Control }
  return (
    <Base.Root
      data-field
      name={name}
      invalid={error ? true : undefined}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <span className={labelHidden ? 'sr-only' : 'flex items-baseline justify-between gap-2'}>
        <Base.Label id={labelId} onClick={focusUnloadedControl} className="font-medium">
          {label}
        </Base.Label>
        {optional && <span className="text-xs text-faint">optional</span>}
      </span>
      <FieldContext value={around}>{children}</FieldContext>
      <div id={notesId} className="contents">
        <FieldNotes hint={hint} error={error} />
      </div>
    </Base.Root>
  )
}

/** Without an error of its own, a field shows what the browser or its Form finds wrong with it. */
export function FieldNotes({ hint, error }: Pick<FieldProps, 'hint' | 'error'>) {
  return (
    <>
      {hint && <Base.Description className="text-xs text-muted">{hint}</Base.Description>}
      <Base.Error
        match={error ? true : undefined}
        render={<ErrorLine />}
        {...(error && { children: error })}
      />
    </>
  )
}
