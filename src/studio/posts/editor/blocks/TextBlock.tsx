'use client'

import { clsx } from 'clsx'
import { type ClipboardEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react'
import { embedAt } from '#posts/embeds'
import { isTechnical } from './block-kinds'
import { shownText } from './block-document'
import type { BlockProps } from './BlockRow'
import { pressInBlock } from './block-keys'
import { SlashMenu, useSlashMenu } from './SlashMenu'

/** A block as a field with its Markdown while it is written in, otherwise as readers see it. */
export function TextBlock({ block, name, isActive, drawn, actions }: BlockProps) {
  const { id } = block
  const field = useRef<HTMLTextAreaElement>(null)
  const shown = shownText(block)
  const slash = useSlashMenu({ block, isActive, actions })

  function open({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>) {
    if (isActive) return
    const before = drawnTextBefore(currentTarget, clientX, clientY)
    const caret = before === undefined ? shown.length : sourceOffset(shown, before)
    actions.open(id, caret)
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (slash.press(event)) return
    pressInBlock(event, block, actions)
  }

  return (
    // the field inside is what keys and screen readers use
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className="relative min-w-0 grow" onClick={open}>
      <textarea
        ref={field}
        data-block-field={id}
        aria-label={name}
        {...slash.attributes}
        dir="auto"
        rows={Math.max(1, shown.split('\n').length)}
        spellCheck={!isTechnical(block)}
        placeholder={isActive ? 'Write, or press / for blocks' : undefined}
        value={shown}
        className={isActive ? fieldClass(block) : 'sr-only'}
        onFocus={() => actions.enter(id)}
        onChange={({ target }) => actions.type(id, target.value, target.selectionStart)}
        onSelect={({ currentTarget }) => actions.noteCaret(id, currentTarget.selectionStart)}
        onKeyDown={press}
        onPaste={(event) => pasteEmbed(event, shown, (text) => actions.type(id, text, text.length))}
      />
      {isActive ? <SlashMenu {...slash} /> : <Drawn shown={shown}>{drawn}</Drawn>}
    </div>
  )
}

/** Readers' links and buttons are not pressed here: a click begins to write. */
const Drawn = ({ shown, children }: { shown: string; children: ReactNode }) => (
  <div
    inert
    data-drawn
    className="min-h-7 cursor-text rounded-md px-2 py-0.5 group-hover:bg-hover [&_.prose>:first-child]:mt-0 [&_.prose>:last-child]:mb-0"
  >
    {children ?? (
      <p dir="auto" className="py-0.5 font-mono text-sm/6 wrap-anywhere whitespace-pre-wrap text-muted">
        {shown || '\u00A0'}
      </p>
    )}
  </div>
)

const fieldClass = (block: BlockProps['block']): string =>
  clsx(
    'block field-sizing-content w-full resize-none rounded-md bg-surface px-2 py-1 text-ink outline-2 -outline-offset-1 outline-line placeholder:text-faint focus-visible:outline-focus',
    isTechnical(block) && 'font-mono text-sm/6',
    block.type === 'heading' && 'text-xl/8 font-semibold',
    !isTechnical(block) && block.type !== 'heading' && 'text-[0.9375rem]/7',
  )

/** The drawn text takes no clicks, so it is made hittable for a moment only. */
function drawnTextBefore(block: HTMLElement, x: number, y: number): string | undefined {
  const drawn = block.querySelector<HTMLElement>('[data-drawn]')
  if (!drawn) return undefined
  drawn.inert = false
  const before = textBefore(drawn, x, y)
  drawn.inert = true
  return before
}

/** An address that can be embedded, pasted into an empty block, becomes an embed. */
function pasteEmbed(
  event: ClipboardEvent<HTMLTextAreaElement>,
  shown: string,
  write: (text: string) => void,
): void {
  const pasted = event.clipboardData.getData('text/plain').trim()
  if (shown.trim() !== '' || !embedAt(pasted, '')) return
  event.preventDefault()
  write(`::embed{address="${pasted.replaceAll('"', '%22')}"}`)
}

/** The greatest distance of a mark from the letter before it, so that one odd letter does not lead to the end. */
const farthest = 500

/** The offset in a block's Markdown that corresponds to the end of the words drawn so far. */
export function sourceOffset(source: string, drawn: string): number {
  let offset = 0
  for (const letter of drawn.replaceAll(/\s+/g, '')) {
    const next = source.indexOf(letter, offset)
    if (next >= 0 && next - offset < farthest) offset = next + letter.length
  }
  return offset
}

/** The words of an element up to a point of the screen; undefined where the browser does not say. */
function textBefore(element: Element, x: number, y: number): string | undefined {
  const position = document.caretPositionFromPoint?.(x, y)
  if (!position || !element.contains(position.offsetNode)) return undefined
  const range = document.createRange()
  range.setStart(element, 0)
  range.setEnd(position.offsetNode, position.offset)
  return range.toString()
}
