'use client'

import { Menu as Base } from '@base-ui/react/menu'
import { useEffect, useRef } from 'react'
import type { MarkMenuLayerProps } from '../MarkMenu'
import { MenuPopup } from './FullMenu'

/** The menu of a mark. Its first line is marked, so that a second Enter chooses it. */
export function MarkMenuLayer({ heading, entries, anchor, finalFocus, isOpen, onClose }: MarkMenuLayerProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    // the popup takes the focus in the frame in which it is placed
    const frame = requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('[role=menuitem]:not([aria-disabled=true])')?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [isOpen])

  return (
    <Base.Root modal={false} open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <MenuPopup
        ref={list}
        heading={heading}
        entries={entries}
        anchor={anchor}
        finalFocus={finalFocus}
        align="start"
        side="bottom"
      />
    </Base.Root>
  )
}
