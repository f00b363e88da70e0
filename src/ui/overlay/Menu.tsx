'use client'

import type { KeyboardEvent, ReactElement, ReactNode, RefObject } from 'react'
import { activationOf, deferred, useDeferredControl } from '../deferral/deferred'
import { Extended } from '../deferral/trigger'

export type MenuLine = {
  label: string
  /** A sentence below it. */
  hint?: string
  icon?: ReactNode
  shortcut?: string
  disabledReason?: string
}

export type MenuEntry =
  | (MenuLine & { kind?: 'action'; onSelect: () => void; destructive?: boolean })
  /** `current` marks the choice that the page shows. */
  | (MenuLine & { kind: 'link'; href: string; current?: boolean })
  | (MenuLine & { kind: 'submenu'; entries: MenuEntry[] })
  | { kind: 'group'; label: string; entries: MenuEntry[] }
  | {
      kind: 'choice'
      label: string
      value: string
      options: { value: string; label: string }[]
      onChange: (value: string) => void
    }
  | { kind: 'separator' }

export type MenuProps = {
  trigger: ReactElement
  entries: MenuEntry[]
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** The element that gets the focus after closing; without it, the trigger. */
  finalFocus?: RefObject<HTMLElement | null>
}

const fullMenu = deferred(async () => (await import('./internal/FullMenu')).FullMenu)

/** Things to do, behind a button. Arrow keys, first letters, Escape. */
export function Menu(props: MenuProps) {
  const { Control, activation, isLoading, activate, nearness } = useDeferredControl(fullMenu)
  if (Control) return <Control {...props} activation={activation} />

  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    activate({ by: 'keyboard', key: event.key })
  }
  return (
    <Extended
      element={props.trigger}
      {...nearness}
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={isLoading || undefined}
      onClick={(event) => activate(activationOf(event))}
      onKeyDown={openByArrow}
    />
  )
}
