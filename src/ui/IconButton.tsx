'use client'

import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './Button'
import { Tooltip } from './overlay/Tooltip'

export type IconButtonProps = Omit<ButtonProps, 'children' | 'iconEnd' | 'square' | 'wide' | 'aria-label'> & {
  /** The action of the button; its name for everyone, shown on hover and focus. */
  label: string
  icon: ReactNode
  /** As in KeyHint: `mod+K`. */
  shortcut?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
}

export function IconButton({ label, shortcut, side, variant = 'quiet', ...props }: IconButtonProps) {
  const button = <Button {...props} variant={variant} square aria-label={label} />
  if (props.disabledReason) return button

  return (
    <Tooltip label={label} shortcut={shortcut} side={side}>
      {button}
    </Tooltip>
  )
}
