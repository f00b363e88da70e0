'use client'

import { clsx } from 'clsx'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { neighbourOf } from '#ui/keyboard/neighbour'
import { edit, shownText } from './block-document'
import type { BlockProps } from './BlockRow'
import { matchingCommands, type SlashCommand, slashSearch, startOf } from './slash-commands'

/** The kinds of blocks behind `/`: which are listed, and what keys do while they are. */
export function useSlashMenu({
  block,
  isActive,
  actions,
}: Pick<BlockProps, 'block' | 'isActive' | 'actions'>) {
  const listId = useId()
  const shown = shownText(block)
  const [dismissed, setDismissed] = useState<string>()
  const [chosen, setChosen] = useState({ shown, index: 0 })
  const search = isActive && dismissed !== shown ? slashSearch(shown) : undefined
  const commands = search === undefined ? [] : matchingCommands(search)
  const index = chosen.shown === shown ? chosen.index : 0
  const isOpen = commands.length > 0

  function choose(command: SlashCommand) {
    const { text, caret } = startOf(command)
    actions.change((before) => ({ ...edit(before, block.id, text, caret), id: block.id, caret }))
    if (command.isImage) actions.chooseImages()
  }

  /** Whether the key was for the menu. */
  function press(event: KeyboardEvent): boolean {
    if (!isOpen || event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey)
      return false
    const command = commands[index]
    const to = neighbourOf(verticalKeys[event.key] ?? '', index, commands.length)
    if (to !== undefined) setChosen({ shown, index: (to + commands.length) % commands.length })
    else if (event.key === 'Escape') setDismissed(shown)
    else if ((event.key === 'Enter' || event.key === 'Tab') && command && !event.shiftKey) choose(command)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return {
    listId,
    commands,
    index,
    choose,
    press,
    attributes: isOpen
      ? {
          'aria-autocomplete': 'list' as const,
          'aria-haspopup': 'listbox' as const,
          'aria-controls': listId,
          'aria-activedescendant': `${listId}-${index}`,
        }
      : {},
  }
}

const verticalKeys: Readonly<Record<string, string>> = { ArrowDown: 'ArrowRight', ArrowUp: 'ArrowLeft' }

type SlashMenuProps = Pick<ReturnType<typeof useSlashMenu>, 'listId' | 'commands' | 'index' | 'choose'>

/** The list; the focus stays in the field. */
export function SlashMenu({ listId, commands, index, choose }: SlashMenuProps) {
  const list = useRef<HTMLDivElement>(null)
  const chosen = commands[index]
  useEffect(() => {
    const option = chosen && list.current?.querySelector('[aria-selected=true]')
    option?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  if (!chosen) return null
  return (
    <div
      ref={list}
      id={listId}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select would take the focus from the field
      role="listbox"
      aria-label="Kinds of blocks"
      className="absolute start-0 top-full z-float mt-1 max-h-72 w-72 max-w-full overflow-y-auto rounded-lg border border-line-raised bg-raised p-1 text-ink shadow-float"
    >
      {commands.map((command, place) => (
        // the field has the keys
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={command.label}
          id={`${listId}-${place}`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="option"
          tabIndex={-1}
          aria-selected={place === index}
          className={clsx(
            'cursor-default rounded-md px-2 py-1.5',
            place === index ? 'bg-hover' : 'hover:bg-hover',
          )}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(command)}
        >
          <span className="block text-sm font-medium">{command.label}</span>
          <span className="line-clamp-2 text-xs text-muted">{command.hint}</span>
        </div>
      ))}
    </div>
  )
}
