'use client'

import { type ReactElement, type ReactNode, useState } from 'react'
import { deferred, useDeferredControl } from '../deferral/deferred'
import { Extended } from '../deferral/trigger'

export type PopoverProps = {
  trigger: ReactElement
  /** The name of the layer; shown above its content unless `labelHidden`. */
  label: string
  labelHidden?: boolean
  children: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  align?: 'start' | 'center' | 'end'
  /** Controls the layer: its trigger alone asks to open it, any dismissal asks to close it. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** No padding: what is inside brings its own. */
  flush?: boolean
}

const fullPopover = deferred(async () => (await import('./internal/FullPopover')).FullPopover)

/** A small layer beside the button that opened it. */
export function Popover(props: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const open = props.open ?? isOpen
  const { Control, isLoading, activate, nearness } = useDeferredControl(fullPopover, () => change(false))
  function change(next: boolean) {
    setOpen(next)
    props.onOpenChange?.(next)
    if (next && !Control) activate({ by: 'pointer' })
  }

  if (Control) return <Control {...props} open={open} onOpenChange={change} />
  return (
    <Extended
      element={props.trigger}
      {...nearness}
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-busy={isLoading || undefined}
      onClick={() => change(!open)}
    />
  )
}
