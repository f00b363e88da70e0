'use client'

import { Menu as Base } from '@base-ui/react/menu'
import type { MarkMenuLayerProps } from '../MarkMenu'
import { MenuPopup } from './FullMenu'

/** The menu of a mark. Its first line is marked, so that a second Enter chooses it. */
export function MarkMenuLayer({ heading, entries, anchor, finalFocus, isOpen, onClose }: MarkMenuLayerProps) {
  return (
    <Base.Root modal={false} open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <MenuPopup
        ref={focusFirst}
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

/** The popup takes the focus in the frame after it appears, so its first line takes it in the next one. */
function focusFirst(popup: HTMLDivElement | null) {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() =>
      popup?.querySelector<HTMLElement>('[role=menuitem]:not([aria-disabled=true])')?.focus(),
    )
  })
  return () => cancelAnimationFrame(frame)
}
