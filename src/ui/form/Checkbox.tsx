'use client'

import { clsx } from 'clsx'
import { Check, Minus } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { ErrorLine } from './internal/ErrorLine'
import { useFormError } from './internal/form-errors'
import { Icon } from '../Icon'

export type CheckboxProps = {
  label: ReactNode
  /** Hides the label from sight: for a box in a table row. */
  labelHidden?: boolean
  hint?: ReactNode
  error?: string
  checked?: boolean
  defaultChecked?: boolean
  /** Whether only some of the entries that the box stands for are checked. */
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
  const ref = useRef<HTMLInputElement>(null)
  const ofForm = useFormError(box.name, ref)
  const { input, text } = useBesideText({ label, labelHidden, hint, error: error ?? ofForm.error })
  useEffect(() => {
    // there is no attribute for it
    if (ref.current) ref.current.indeterminate = indeterminate ?? false
  }, [indeterminate])

  return (
    <div className="flex items-start gap-2.5">
      <span className="relative mt-0.5 grid size-4 shrink-0 place-items-center">
        <input
          ref={ref}
          type="checkbox"
          {...box}
          {...input}
          onChange={({ target }) => {
            ofForm.correct()
            onChange?.(target.checked)
          }}
          className={clsx(
            'peer absolute inset-0 cursor-pointer appearance-none rounded-sm border border-line-strong',
            'bg-control transition-colors hover:not-checked:border-faint checked:border-accent checked:bg-accent',
            'indeterminate:border-accent indeterminate:bg-accent disabled:cursor-not-allowed disabled:opacity-50',
            'aria-invalid:border-danger',
          )}
        />
        <span
          aria-hidden
          className="pointer-events-none invisible relative flex text-on-accent peer-checked:visible peer-indeterminate:visible"
        >
          <Icon of={indeterminate ? Minus : Check} size="sm" className="[stroke-width:2.5]" />
        </span>
      </span>
      {text}
    </div>
  )
}

/** The words of a control that stand beside it, and the props that tie the control to them. */
export function useBesideText({
  label,
  labelHidden,
  hint,
  error,
}: Pick<CheckboxProps, 'label' | 'labelHidden' | 'hint' | 'error'>) {
  const id = useId()
  const hintId = `${id}hint`
  const errorId = `${id}error`
  return {
    input: {
      id,
      'aria-describedby': [hint && hintId, error && errorId].filter(Boolean).join(' ') || undefined,
      'aria-invalid': error ? true : undefined,
    },
    text: (
      <span className={labelHidden ? 'sr-only' : 'flex min-w-0 flex-col gap-0.5'}>
        <label htmlFor={id} className="cursor-pointer font-medium">
          {label}
        </label>
        {hint && (
          <span id={hintId} className="text-xs text-muted">
            {hint}
          </span>
        )}
        {error && <ErrorLine id={errorId}>{error}</ErrorLine>}
      </span>
    ),
  }
}
