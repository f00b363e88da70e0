'use client'

import { createContext, type ReactNode, use, useId, useState } from 'react'
import { moveAlong } from '../keyboard/neighbour'
import { IconButton, type IconButtonProps } from '../IconButton'

interface ToolbarFocus {
  /** The id of the button that had the focus last; undefined before any had it. */
  current: string | undefined
  setCurrent: (id: string) => void
}

const ToolbarContext = createContext<ToolbarFocus | undefined>(undefined)

/** Buttons that act on the thing below them. One Tab stop; arrow keys move along. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  const [current, setCurrent] = useState<string>()
  return (
    <div
      role="toolbar"
      aria-label={label}
      tabIndex={-1}
      className="flex flex-wrap items-center gap-0.5"
      onKeyDown={moveAlong}
    >
      <ToolbarContext value={{ current, setCurrent }}>{children}</ToolbarContext>
    </div>
  )
}

/** A button of a toolbar; the trigger of a Menu too. */
export function ToolbarButton(props: IconButtonProps) {
  const id = useId()
  const focus = use(ToolbarContext)
  const isTabStop = focus?.current === undefined || focus.current === id
  return <IconButton {...props} tabIndex={isTabStop ? 0 : -1} onFocus={() => focus?.setCurrent(id)} />
}

export const ToolbarSeparator = () => <div aria-hidden className="mx-1 h-4 w-px bg-line" />
