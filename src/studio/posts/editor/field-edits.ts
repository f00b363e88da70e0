import { insertText } from '#ui/form/insert-text'
import type { MarkdownCommand, TextEdit } from './markdown-edits'

/** Applies a change like typing, so that the browser can undo it. */
export function perform(field: HTMLTextAreaElement, command: MarkdownCommand): void {
  const { value: text, selectionStart: from, selectionEnd: to } = field
  apply(field, command({ text, from, to }))
}

export function apply(field: HTMLTextAreaElement, { from, to, text, selectFrom, selectTo }: TextEdit): void {
  const { scrollTop } = field
  field.focus()
  field.setSelectionRange(from, to)
  insertText(field, text)
  field.setSelectionRange(selectFrom, selectTo)
  field.scrollTop = scrollTop
}
