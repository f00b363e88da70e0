'use client'

import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { Icon } from '../Icon'
import { KeyHint } from '../keyboard/KeyHint'

/** Looks like a field, opens the CommandPalette: for the top bar. */
export function SearchButton({
  label,
  shortcut,
  onClick,
}: {
  label: string
  shortcut: string
  onClick: () => void
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={clsx(
        'flex h-8 w-full max-w-xs min-w-0 items-center gap-2 rounded-md border border-line bg-control',
        'px-2.5 text-sm text-muted transition-colors hover:bg-control-hover',
      )}
    >
      <Icon of={Search} className="text-faint" />
      <span className="grow truncate text-left">{label}</span>
      <span className="max-sm:hidden">
        <KeyHint keys={shortcut} />
      </span>
    </button>
  )
}
