'use client'

import { clsx } from 'clsx'
import { EllipsisVertical, GripVertical } from 'lucide-react'
import { memo, type PointerEvent, type ReactNode } from 'react'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu } from '#ui/overlay/Menu'
import type { BlockDocument, BlockEdit, EditorBlock } from './block-document'
import { kindOf } from './block-kinds'
import { TableBlock } from './TableBlock'
import { parseTable } from './table-source'
import { TextBlock } from './TextBlock'

/** The changes that a block makes to its text. */
export interface BlockActions {
  type: (id: number, shown: string, caret: number) => void
  change: (make: (before: BlockDocument) => BlockEdit | undefined) => void
  enter: (id: number) => void
  /** Puts the caret into a block. */
  open: (id: number, caret: number) => void
  noteCaret: (id: number, caret: number) => void
  begin: (id: number) => void
  undo: () => void
  redo: () => void
  moveTo: (id: number, to: number) => void
  moveBy: (id: number, by: -1 | 1) => void
  duplicate: (id: number) => void
  remove: (id: number) => void
  /** Moves to the block before or after; false if there is none. */
  walk: (id: number, by: -1 | 1) => boolean
  chooseImages: () => void
}

export interface BlockProps {
  block: EditorBlock
  /** "Heading, block 2 of 9" */
  name: string
  isActive: boolean
  drawn: ReactNode
  actions: BlockActions
}

interface BlockRowProps extends Omit<BlockProps, 'name'> {
  place: number
  count: number
  drop: 'before' | 'after' | undefined
  isDragged: boolean
  onGrip: (id: number, event: PointerEvent<HTMLElement>) => void
}

/** A block with its handle: dragged with a pointer, or moved by its menu. */
export const BlockRow = memo(function BlockRow(props: BlockRowProps) {
  const { block, place, count, isActive, drop, isDragged, onGrip, actions } = props
  const name = `${kindOf(block)}, block ${place} of ${count}`
  const held = { block, name, isActive, drawn: props.drawn, actions }
  const isGrid = block.type === 'table' && parseTable(block.source) !== undefined
  return (
    <li
      data-block-row={block.id}
      data-active={isActive || undefined}
      className={clsx(
        'group relative flex items-start gap-1 py-1 ps-1 pe-3',
        isDragged && 'opacity-50',
        drop === 'before' && 'shadow-[0_-2px_0_var(--color-focus)]',
        drop === 'after' && 'shadow-[0_2px_0_var(--color-focus)]',
      )}
    >
      <span
        className={clsx(
          'flex shrink-0 items-center',
          !isActive &&
            'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
        )}
      >
        <span
          aria-hidden
          className="cursor-grab touch-none py-1.5 text-faint hover:text-ink max-sm:hidden"
          onPointerDown={(event) => onGrip(block.id, event)}
        >
          <Icon of={GripVertical} size="sm" />
        </span>
        <BlockMenu {...props} name={name} />
      </span>
      {isGrid ? <TableBlock {...held} /> : <TextBlock {...held} />}
    </li>
  )
})

/** The field of the block that is written in once the menu has done what was chosen. */
const activeField = {
  get current() {
    return document.querySelector<HTMLElement>('[data-block-row][data-active] [data-block-field]')
  },
}

function BlockMenu({
  block: { id },
  place,
  count,
  name,
  isActive,
  actions,
}: BlockRowProps & { name: string }) {
  return (
    <Menu
      finalFocus={activeField}
      trigger={
        <IconButton
          size="sm"
          label={`Options of ${name}`}
          tabIndex={isActive ? 0 : -1}
          icon={<Icon of={EllipsisVertical} size="sm" />}
        />
      }
      entries={[
        {
          label: 'Move up',
          shortcut: 'alt+shift+up',
          ...(place === 1 ? { disabledReason: 'It is the first block.' } : {}),
          onSelect: () => actions.moveBy(id, -1),
        },
        {
          label: 'Move down',
          shortcut: 'alt+shift+down',
          ...(place === count ? { disabledReason: 'It is the last block.' } : {}),
          onSelect: () => actions.moveBy(id, 1),
        },
        { label: 'Insert below', shortcut: 'mod+enter', onSelect: () => actions.begin(id) },
        { label: 'Duplicate', onSelect: () => actions.duplicate(id) },
        { kind: 'separator' },
        { label: 'Delete', destructive: true, onSelect: () => actions.remove(id) },
      ]}
    />
  )
}
