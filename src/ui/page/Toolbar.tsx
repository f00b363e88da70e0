'use client'

import { Toolbar as Base } from '@base-ui/react/toolbar'
import type { ReactNode } from 'react'
import { IconButton, type IconButtonProps } from '../IconButton'

/** Buttons that act on the thing below them. One Tab stop; arrow keys move along. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Root aria-label={label} className="flex flex-wrap items-center gap-0.5">
      {children}
    </Base.Root>
  )
}

/** One of its buttons; the trigger of a Menu too. */
export const ToolbarButton = (props: IconButtonProps) => <Base.Button render={<IconButton {...props} />} />

export const ToolbarSeparator = () => <Base.Separator className="mx-1 h-4 w-px bg-line" />
