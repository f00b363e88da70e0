'use client'

import { Field as Base } from '@base-ui/react/field'
import { CircleAlert } from 'lucide-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { Icon } from '../Icon'

export type FieldProps = {
  label: ReactNode
  /** Its label is said, not shown, because what stands beside it already says it. */
  labelHidden?: boolean
  hint?: ReactNode
  /** What is wrong and how to mend it. */
  error?: string
  /** Says "optional" beside the label. Mark the few that are, not the many that are not. */
  optional?: boolean
  /** Ties the field to `errors` of a Form. */
  name?: string
  /** One control: TextInput, Select, Combobox, NumberInput … */
  children: ReactNode
}

/** A labelled control. Hint and error are tied to it, so that they are read out with it. */
export function Field({ label, labelHidden, hint, error, optional, name, children }: FieldProps) {
  return (
    <Base.Root name={name} invalid={error ? true : undefined} className="flex min-w-0 flex-col gap-1.5">
      <span className={labelHidden ? 'sr-only' : 'flex items-baseline justify-between gap-2'}>
        <Base.Label className="font-medium">{label}</Base.Label>
        {optional && <span className="text-xs text-faint">optional</span>}
      </span>
      {children}
      <FieldNotes hint={hint} error={error} />
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

const ErrorLine = ({ children, ...props }: ComponentPropsWithRef<'div'>) => (
  <div {...props} className="flex gap-1.5 text-xs text-danger-ink">
    <Icon of={CircleAlert} size="sm" className="mt-px" />
    <span>{children}</span>
  </div>
)
