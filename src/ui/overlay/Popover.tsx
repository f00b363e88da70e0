'use client'

import { Popover as Base } from '@base-ui/react/popover'
import { clsx } from 'clsx'
import type { ReactElement, ReactNode } from 'react'
import { popupClass } from './floating'

export type PopoverProps = {
  trigger: ReactElement
  /** What it is called; shown above its content unless `labelHidden`. */
  label: string
  labelHidden?: boolean
  children: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** No padding: what is inside brings its own. */
  flush?: boolean
}

/** A small layer beside the button that opened it. */
export function Popover({
  trigger,
  side = 'bottom',
  align = 'start',
  open,
  onOpenChange,
  ...parts
}: PopoverProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={6} collisionPadding={8} className="z-float">
          <Base.Popup
            className={clsx(
              popupClass,
              'max-h-(--available-height) max-w-(--available-width) overflow-y-auto',
              !parts.flush && 'p-4',
            )}
          >
            <Base.Title className={parts.labelHidden ? 'sr-only' : 'mb-2 text-sm font-semibold'}>
              {parts.label}
            </Base.Title>
            {parts.children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
