'use client'

import { Tooltip as Base } from '@base-ui/react/tooltip'
import { clsx } from 'clsx'
import type { ReactElement, ReactNode } from 'react'
import { KeyHint } from '../keyboard/KeyHint'

/** A word on hover and focus. For eyes only: whatever it says, the thing under it must also say to a screen reader. */
export function Tooltip({
  label,
  shortcut,
  side = 'top',
  children,
}: {
  label: ReactNode
  shortcut?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactElement
}) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={400} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className="z-tooltip">
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
