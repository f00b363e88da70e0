'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Anchor } from '../Anchor'
import { backdropClass, dialogClass, groupLabelClass, optionClass } from './floating'
import { Icon } from '../Icon'
import { KeyHint } from '../keyboard/KeyHint'
import { Spinner } from '../Spinner'

export type PaletteCommand = {
  id: string
  label: string
  icon?: ReactNode
  shortcut?: string
  /** Where it lives or what it is, in a word or two. */
  hint?: string
  /** Other words it is found by. */
  keywords?: string
  /** Found by `onSearch`, so shown whatever is typed. */
  found?: boolean
} & ({ href: string; onSelect?: never } | { onSelect: () => void; href?: never })

export type CommandGroup = { label: string; commands: PaletteCommand[] }

export type CommandPaletteProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  groups: CommandGroup[]
  placeholder?: string
  /** Called with what is typed; add what it finds to `groups`, marked `found`. */
  onSearch?: (typed: string) => void
  searching?: boolean
}

/** Everything one can do or go to, found by typing. Open it with `useShortcut('mod+K', …)`. */
export function CommandPalette({ open, onOpenChange, ...list }: CommandPaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Viewport className="fixed inset-0 z-float flex items-start justify-center px-4 pt-[12vh] pb-4">
          <Dialog.Popup aria-label="Command palette" className={`${dialogClass} max-w-xl`}>
            <Commands {...list} close={() => onOpenChange(false)} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type CommandsProps = Omit<CommandPaletteProps, 'open' | 'onOpenChange'> & { close: () => void }

function Commands({ groups, placeholder = 'Search or jump to…', onSearch, searching, close }: CommandsProps) {
  const items = groups.map(({ label, commands }) => ({ label, items: commands }))

  return (
    <Autocomplete.Root
      open
      inline
      items={items}
      filter={matches}
      itemToStringValue={(command: PaletteCommand) => command.label}
      onValueChange={(typed, { reason }) => reason === 'input-change' && onSearch?.(typed)}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        {searching ? <Spinner /> : <Icon of={Search} className="text-faint" />}
        <Autocomplete.Input
          aria-label="Search commands"
          placeholder={placeholder}
          className="h-12 grow bg-transparent text-base outline-none placeholder:text-faint"
        />
      </div>
      <Dialog.Close className="sr-only">Close</Dialog.Close>
      <Autocomplete.Empty className="px-4 py-8 text-center text-muted empty:hidden">
        {searching ? 'Searching…' : 'Nothing found. Try another word.'}
      </Autocomplete.Empty>
      <Autocomplete.List className="max-h-96 min-h-0 scroll-py-2 overflow-y-auto overscroll-contain p-2 data-empty:p-0">
        {(group: (typeof items)[number]) => (
          <Autocomplete.Group key={group.label} items={group.items} className="pb-1 last:pb-0">
            <Autocomplete.GroupLabel className={groupLabelClass}>{group.label}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: PaletteCommand) => <CommandLine key={command.id} command={command} close={close} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      <Keys />
    </Autocomplete.Root>
  )
}

/** Every word typed is somewhere in its names. */
function matches(command: PaletteCommand, typed: string): boolean {
  if (command.found) return true
  const names = `${command.label} ${command.hint ?? ''} ${command.keywords ?? ''}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => names.includes(word))
}

function CommandLine({ command, close }: { command: PaletteCommand; close: () => void }) {
  const { label, icon, hint, shortcut, href, onSelect } = command
  return (
    <Autocomplete.Item
      value={command}
      render={href === undefined ? undefined : <Anchor href={href} tabIndex={-1} />}
      onClick={() => {
        close()
        onSelect?.()
      }}
      className={`${optionClass} min-h-9`}
    >
      {icon && <span className="flex text-faint">{icon}</span>}
      <span className="grow truncate">{label}</span>
      {hint && <span className="shrink-0 text-xs text-faint">{hint}</span>}
      {shortcut && (
        <span className="text-muted">
          <KeyHint keys={shortcut} />
        </span>
      )}
    </Autocomplete.Item>
  )
}

const Keys = () => (
  <div
    aria-hidden
    className="flex gap-4 border-t border-line bg-sunken px-4 py-2 text-2xs text-muted max-sm:hidden"
  >
    <span className="flex items-center gap-1.5">
      <KeyHint keys="up down" /> Move
    </span>
    <span className="flex items-center gap-1.5">
      <KeyHint keys="enter" /> Open
    </span>
    <span className="flex items-center gap-1.5">
      <KeyHint keys="escape" /> Close
    </span>
  </div>
)
