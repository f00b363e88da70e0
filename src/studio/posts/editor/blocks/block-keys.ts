import type { KeyboardEvent } from 'react'
import { isAppleKeyboard, isPressed, type Shortcut } from '#ui/keyboard/keys'
import { apply, perform } from '../field-edits'
import { nextItem, type TextEdit } from '../markdown-edits'
import { withShortcut } from '../toolbar'
import { type EditorBlock, edit, insertAfter, isRunning, joinBefore, splitAt } from './block-document'
import type { BlockActions } from './BlockRow'

type FieldEvent = KeyboardEvent<HTMLTextAreaElement>

/** The action of a key in a block; false if the key acts as in any field. */
type BlockKey = (event: FieldEvent, block: EditorBlock, actions: BlockActions) => boolean

/** The first that takes a key has it. */
const keys: readonly BlockKey[] = [historyKeys, movingKeys, formattingKeys, enter, backspace, arrows]

export function pressInBlock(event: FieldEvent, block: EditorBlock, actions: BlockActions): void {
  if (event.nativeEvent.isComposing) return
  if (keys.some((key) => key(event, block, actions))) event.preventDefault()
}

const isKey = (event: FieldEvent, ...shortcuts: Shortcut[]): boolean =>
  shortcuts.some((shortcut) => isPressed(shortcut, event.nativeEvent, isAppleKeyboard()))

function historyKeys(event: FieldEvent, _: EditorBlock, { undo, redo }: BlockActions): boolean {
  if (isKey(event, 'mod+z')) undo()
  else if (isKey(event, 'mod+shift+z', 'mod+y')) redo()
  else return false
  return true
}

function movingKeys(event: FieldEvent, { id }: EditorBlock, { moveBy }: BlockActions): boolean {
  if (isKey(event, 'alt+shift+arrowup')) moveBy(id, -1)
  else if (isKey(event, 'alt+shift+arrowdown')) moveBy(id, 1)
  else return false
  return true
}

function formattingKeys(event: FieldEvent): boolean {
  const tool = withShortcut.find(({ shortcut = '' }) => isKey(event, shortcut))
  if (tool) perform(event.currentTarget, tool.command)
  return tool !== undefined
}

function enter(event: FieldEvent, block: EditorBlock, actions: BlockActions): boolean {
  const { value: text, selectionStart: from, selectionEnd: to } = event.currentTarget
  if (isKey(event, 'mod+enter')) {
    actions.begin(block.id)
    return true
  }
  if (!isKey(event, 'enter') || from !== to) return false
  const item = nextItem({ text, from, to })
  if (item && item.text === '' && to === text.length) leaveList(block, item, actions)
  else if (item) apply(event.currentTarget, item)
  else if (isRunning(block)) actions.change((before) => splitAt(before, block.id, from))
  else return false
  return true
}

/** Enter in an empty last item ends the list, and begins a block behind it. */
function leaveList({ id, source }: EditorBlock, { from }: TextEdit, { change }: BlockActions): void {
  const list = source.replaceAll(/\r\n?/g, '\n').slice(0, from).trimEnd()
  change((before) => insertAfter(edit(before, id, list, list.length).document, id, ['']))
}

function backspace(event: FieldEvent, { id }: EditorBlock, { change }: BlockActions): boolean {
  const { selectionStart: from, selectionEnd: to } = event.currentTarget
  if (!isKey(event, 'backspace') || from !== 0 || to !== 0) return false
  change((before) => joinBefore(before, id))
  return true
}

/** Arrows at the first and last line lead to the next block: the caret shows only afterwards whether it could move. */
function arrows(event: FieldEvent, { id }: EditorBlock, { walk }: BlockActions): boolean {
  const by = isKey(event, 'arrowup') ? -1 : isKey(event, 'arrowdown') ? 1 : 0
  const field = event.currentTarget
  const { selectionStart: from, selectionEnd: to } = field
  if (by === 0 || from !== to) return false
  requestAnimationFrame(() => {
    const isStuck = field.selectionStart === from && field.selectionEnd === to
    if (isStuck && document.activeElement === field) walk(id, by)
  })
  return false
}
