'use client'

import { Tooltip as Base } from '@base-ui/react/tooltip'
import { clsx } from 'clsx'
import type { ReactNode, RefObject } from 'react'
import { KeyHint } from '../../keyboard/KeyHint'

interface TooltipLayerProps {
  label: ReactNode
  shortcut?: string
  side: 'top' | 'right' | 'bottom' | 'left'
  anchor: RefObject<HTMLElement | null>
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The pointer may rest on it, as on what it explains. */
  onPointerEnter: () => void
  onPointerLeave: () => void
}

export function TooltipLayer({
  label,
  shortcut,
  side,
  anchor,
  open,
  onOpenChange,
  ...pointer
}: TooltipLayerProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-tooltip"
          {...pointer}
        >
          <Base.Popup
            className={clsx(
              'flex max-w-2xs origin-(--transform-origin) items-center gap-2 rounded-md bg-ink px-2 py-1',
              'text-xs text-canvas shadow-float transition-[opacity,scale] data-ending-style:opacity-0',
              'data-instant:transition-none data-starting-style:scale-[0.97] data-starting-style:opacity-0',
            )}
          >
            {label}
            {shortcut && <KeyHint keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
