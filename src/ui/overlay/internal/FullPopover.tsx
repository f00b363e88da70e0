'use client'

import { Popover as Base } from '@base-ui/react/popover'
import { clsx } from 'clsx'
import { popupClass } from './floating'
import type { PopoverProps } from '../Popover'

/** A popover with its layer. */
export function FullPopover({
  trigger,
  side = 'bottom',
  align = 'start',
  open,
  onOpenChange,
  ...parts
}: PopoverProps & { open: boolean; onOpenChange: (open: boolean) => void }) {
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
