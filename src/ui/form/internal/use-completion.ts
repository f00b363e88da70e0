'use client'

import { type KeyboardEvent, type RefObject, useState } from 'react'
import type { CodeCompletion, CodeLanguage } from '../code'
import { insertText } from '../insert-text'

/** The position of the list in the box around the field. */
interface ListPlace {
  left: number
  top: number
}

type OpenCompletion = CodeCompletion & { at: number; place: ListPlace }

const lineHeight = 20

/** Suggestions for the word at the caret of a field with letters of one width. */
export function useCompletion(
  field: RefObject<HTMLTextAreaElement | null>,
  completionAt: CodeLanguage['completionAt'],
) {
  const [open, setOpen] = useState<OpenCompletion>()
  const close = () => setOpen(undefined)

  function suggest() {
    const element = field.current
    if (!element || !completionAt || element.selectionStart !== element.selectionEnd) return close()
    const completion = completionAt(element.value, element.selectionStart)
    setOpen(completion && { ...completion, at: 0, place: placeOf(element, completion.word) })
  }

  function accept(index = open?.at ?? 0) {
    const element = field.current
    const chosen = open?.suggestions[index]
    if (!element || !open || !chosen) return
    element.setSelectionRange(element.selectionStart - open.word.length, element.selectionStart)
    insertText(element, chosen.text)
    close()
  }

  /** Whether the list has used the key. */
  function onKey(event: KeyboardEvent): boolean {
    if (event.key === ' ' && event.ctrlKey) {
      suggest()
      return true
    }
    if (!open || event.ctrlKey || event.metaKey || event.altKey) return false
    const { length } = open.suggestions
    const used: Record<string, () => void> = {
      ArrowDown: () => setOpen({ ...open, at: (open.at + 1) % length }),
      ArrowUp: () => setOpen({ ...open, at: (open.at + length - 1) % length }),
      Enter: () => accept(),
      Tab: () => accept(),
      Escape: close,
    }
    used[event.key]?.()
    if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) close()
    return Object.hasOwn(used, event.key) && !event.shiftKey
  }

  return { open, suggest, accept, close, onKey }
}

/** Below the beginning of the word. */
function placeOf(field: HTMLTextAreaElement, word: string): ListPlace {
  const lines = field.value.slice(0, field.selectionStart).split('\n')
  const column = (lines.at(-1) ?? '').length - word.length
  const { paddingLeft, paddingTop } = getComputedStyle(field)
  const box = field.closest('.code-editor')?.getBoundingClientRect()
  const own = field.getBoundingClientRect()
  return {
    left:
      own.left -
      (box?.left ?? 0) +
      Number.parseFloat(paddingLeft) +
      column * letterWidth(field) -
      field.scrollLeft,
    top:
      own.top - (box?.top ?? 0) + Number.parseFloat(paddingTop) + lines.length * lineHeight - field.scrollTop,
  }
}

function letterWidth(field: HTMLTextAreaElement): number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return 0
  context.font = getComputedStyle(field).font
  return context.measureText('m').width
}
