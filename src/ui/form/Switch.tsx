'use client'

import { clsx } from 'clsx'
import { useRef } from 'react'
import { type CheckboxProps, useBesideText } from './Checkbox'
import { useFormError } from './internal/form-errors'

type SwitchProps = Omit<CheckboxProps, 'indeterminate'> & {
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
  const ref = useRef<HTMLInputElement>(null)
  const ofForm = useFormError(control.name, ref)
  const { input, text } = useBesideText({ label, labelHidden, hint, error: error ?? ofForm.error })
  return (
    <div
      className={clsx(
        'flex items-start gap-2.5',
        place === 'end' && 'flex-row-reverse justify-between gap-6',
      )}
    >
      <span className="relative mt-px flex h-4.5 w-8 shrink-0 items-center p-0.5">
        <input
          type="checkbox"
          // the browser says whether it is on
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
          role="switch"
          {...control}
          {...input}
          ref={ref}
          onChange={({ target }) => {
            ofForm.correct()
            onChange?.(target.checked)
          }}
          className={clsx(
            'peer absolute inset-0 cursor-pointer appearance-none rounded-full bg-line-strong transition-colors',
            'checked:bg-accent disabled:cursor-not-allowed disabled:opacity-50',
          )}
        />
        <span
          aria-hidden
          className={clsx(
            'pointer-events-none relative size-3.5 rounded-full bg-knob shadow-[0_1px_2px_#0000003d]',
            'transition-[translate,background-color] peer-checked:translate-x-3.5 peer-checked:bg-on-accent',
          )}
        />
      </span>
      {text}
    </div>
  )
}
