'use client'

import type { ComponentPropsWithRef, ReactNode } from 'react'
import { useFieldAround } from './internal/field-around'
import { bareInputClass, controlClass, controlGroupClass } from './internal/control'

export type TextInputProps = Omit<
  ComponentPropsWithRef<'input'>,
  'className' | 'prefix' | 'size' | 'style'
> & {
  icon?: ReactNode
  /** Fixed words before and after what is typed: `https://`, `.example.com`. */
  prefix?: ReactNode
  suffix?: ReactNode
  /** A button inside the box, at its end. */
  action?: ReactNode
  /** Monospace, for keys and identifiers. */
  mono?: boolean
}

/** One line of text. Belongs in a Field, or needs `aria-label`. */
export function TextInput({ icon, prefix, suffix, action, mono, ...props }: TextInputProps) {
  const face = mono ? ' font-mono text-xs' : ''
  if (!icon && !prefix && !suffix && !action) return <BareInput {...props} className={controlClass + face} />

  return (
    <span className={controlGroupClass}>
      {icon && <span className="flex pl-2.5 text-faint">{icon}</span>}
      {prefix && <span className="shrink-0 pl-2.5 text-faint">{prefix}</span>}
      <BareInput
        {...props}
        className={`${bareInputClass} ${icon ? 'pl-2' : ''} ${prefix ? 'pl-0.5' : ''}${face}`}
      />
      {suffix && <span className="shrink-0 pr-2.5 text-faint">{suffix}</span>}
      {action && <span className="flex shrink-0 pr-0.5">{action}</span>}
    </span>
  )
}

function BareInput(props: ComponentPropsWithRef<'input'>) {
  const field = useFieldAround()
  if (field) return <field.Control {...props} />
  return <input {...props} data-disabled={props.disabled ? '' : undefined} />
}
