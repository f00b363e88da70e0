'use client'

import { clsx } from 'clsx'
import type { ComponentPropsWithRef } from 'react'

type WritingAreaProps = Omit<
  ComponentPropsWithRef<'textarea'>,
  'className' | 'value' | 'defaultValue' | 'onChange' | 'aria-label'
> & {
  label: string
  value: string
  onChange: (value: string) => void
}

/**
 * A field for long text with a focus ring. On wide screens it fills its container and scrolls inside; on narrow screens
 * it grows, to avoid a scrolling box within a scrolling page.
 */
export function WritingArea({ label, value, onChange, ...props }: WritingAreaProps) {
  return (
    <textarea
      {...props}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className={clsx(
        'block w-full resize-none bg-transparent px-4 py-3.5 font-mono text-sm/6 text-ink placeholder:text-faint',
        // the surrounding element shows the focus
        'field-sizing-content min-h-96 outline-none',
        'lg:field-sizing-fixed lg:h-full lg:min-h-0',
      )}
    />
  )
}
