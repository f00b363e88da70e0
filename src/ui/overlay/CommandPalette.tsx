'use client'

import { plural } from '#ui/format'
import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { Anchor } from '../Anchor'
import { backdropClass, dialogClass, groupLabelClass, optionClass } from './internal/floating'
import { exactly, exactPart, fuzzyScore } from './fuzzy-match'
import { Icon } from '../Icon'
import { KeyHint } from '../keyboard/KeyHint'
import { Spinner } from '../Spinner'

export type PaletteCommand = {
  id: string
  label: string
  icon?: ReactNode
  shortcut?: string
  /** The location or the type of the command, in a word or two. */
  hint?: string
  /** Other words that the command is found by. */
  keywords?: string
  /** Found by `onSearch`, so shown whatever is typed. */
  found?: boolean
} & ({ href: string; onSelect?: never } | { onSelect: () => void; href?: never })

export type CommandGroup = { label: string; commands: PaletteCommand[] }

type CommandPaletteProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The element that gets the focus after closing. */
  returnFocus?: RefObject<HTMLElement | null>
  groups: CommandGroup[]
  placeholder?: string
  /** Called with what is typed; add what it finds to `groups`, marked `found`. */
  onSearch?: (typed: string) => void
  searching?: boolean
  /** The part that the list lacks, and the reason. */
  notice?: string | undefined
}

/** The commands and pages, found by typing. Open it with `useShortcut('mod+K', …)`. */
export function CommandPalette({ open, onOpenChange, returnFocus, ...list }: CommandPaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Viewport className="fixed inset-0 z-float flex items-start justify-center px-4 pt-[12vh] pb-4">
          <Dialog.Popup
            aria-label="Command palette"
            finalFocus={returnFocus}
            className={`${dialogClass} max-w-xl`}
          >
            <Commands {...list} close={() => onOpenChange(false)} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type CommandsProps = Omit<CommandPaletteProps, 'open' | 'onOpenChange' | 'returnFocus'> & {
  close: () => void
}

function Commands({
  groups,
  placeholder = 'Search or jump to…',
  onSearch,
  searching,
  notice,
  close,
}: CommandsProps) {
  const [typed, setTyped] = useState('')
  const items = matchingGroups(groups, typed)
  const count = items.reduce((sum, group) => sum + group.items.length, 0)

  return (
    <Autocomplete.Root
      open
      inline
      items={items}
      filteredItems={items}
      value={typed}
      itemToStringValue={(command: PaletteCommand) => command.label}
      onValueChange={(value, { reason }) => {
        if (reason !== 'input-change' && reason !== 'input-clear') return
        setTyped(value)
        onSearch?.(value)
      }}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        {searching ? <Spinner /> : <Icon of={Search} className="text-faint" />}
        <Autocomplete.Input
          aria-label="Search commands"
          placeholder={placeholder}
          className="h-12 min-w-0 grow bg-transparent text-base outline-none placeholder:text-faint"
        />
      </div>
      <Dialog.Close className="sr-only">Close</Dialog.Close>
      <Autocomplete.Status className="sr-only">
        {typed.trim() !== '' && !searching && plural(count, 'result')}
      </Autocomplete.Status>
      <Autocomplete.Empty className="px-4 py-8 text-center text-muted empty:hidden">
        {searching ? 'Searching…' : 'No results. Try another search.'}
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
      {searching && count > 0 && (
        <p className="border-t border-line px-4 py-2 text-xs text-muted">Searching…</p>
      )}
      {notice && <p className="border-t border-line px-4 py-2 text-xs text-muted">{notice}</p>}
      <Keys />
    </Autocomplete.Root>
  )
}

/**
 * While something is typed, the best of each group come first. Groups keep their order, so that late ones follow; only one with
 * exactly what is typed is put before the others.
 */
function matchingGroups(groups: readonly CommandGroup[], typed: string) {
  if (typed.trim() === '') return groups.map(({ label, commands }) => ({ label, items: commands }))
  return groups
    .map(({ label, commands }) => ({
      label,
      scored: commands
        .map((command) => ({ command, score: scoreOf(command, typed) }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score),
    }))
    .filter(({ scored }) => scored.length > 0)
    .toSorted((one, other) => Number(isExact(other.scored[0])) - Number(isExact(one.scored[0])))
    .map(({ label, scored }) => ({ label, items: scored.map(({ command }) => command) }))
}

const isExact = (best: { score: number } | undefined): boolean => best?.score === exactly

/** Words around a label count less, and have to be typed right. */
function scoreOf({ label, hint = '', keywords = '', found }: PaletteCommand, typed: string): number {
  const byLabel = fuzzyScore(typed, label)
  if (found) return byLabel === exactly ? exactly : 1
  const around = fuzzyScore(typed, `${label} ${hint} ${keywords}`)
  return around < exactPart ? byLabel : Math.max(byLabel, around / 2)
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
      <span className="min-w-0 grow truncate">{label}</span>
      {hint && <span className="max-w-[45%] shrink-0 truncate text-xs text-muted">{hint}</span>}
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
