'use client'

import { type ReactElement, type ReactNode, useState } from 'react'
import { type Deferred, deferred, loadAhead, useDeferredControl } from '../deferral/deferred'
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
  /** The program of its content. It opens once that is loaded, so that the focus begins inside. */
  content?: Deferred<unknown>
}

const fullPopover = deferred(async () => (await import('./internal/FullPopover')).FullPopover)

/** A small layer beside the button that opened it. */
export function Popover(props: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const open = props.open ?? isOpen
  const { Control, isLoading, activate } = useDeferredControl(fullPopover, () => change(false))
  const { content } = props
  function change(next: boolean) {
    if (next && content && content.loaded() === undefined) {
      setWaiting(true)
      content.load().then(
        () => change(true),
        () => change(false),
      )
      return
    }
    setWaiting(false)
    setOpen(next)
    props.onOpenChange?.(next)
    if (next && !Control) activate({ by: 'pointer' })
  }

  const prepare = () => {
    loadAhead(fullPopover)
    if (content) loadAhead(content)
  }

  if (Control) return <Control {...props} open={open} onOpenChange={change} />
  return (
    <Extended
      element={props.trigger}
      onPointerEnter={prepare}
      onTouchStart={prepare}
      onFocus={prepare}
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-busy={isWaiting || isLoading || undefined}
      onClick={() => change(!open)}
    />
  )
}
