'use client'

import { useEffect, useState } from 'react'
import type { TextPlace } from '../text-place'
import {
  type BlockDocument,
  type BlockEdit,
  documentOf,
  edit,
  indexOf,
  insertAfter,
  offsetOf,
  placeAt,
  textOf,
  withText,
} from './block-document'
import type { HistoryEntry } from './edit-history'

/** A place to put the caret at once the block is there. */
interface FocusRequest {
  id: number
  caret: number
}

interface BlockDocumentOptions {
  value: string
  onChange: (value: string) => void
  place: TextPlace
}

/** A text that is edited block by block, what can be undone of it, and the block that is written in. */
export function useBlockDocument(options: BlockDocumentOptions) {
  const { place } = options
  const { document, text, show, setDocument } = useWrittenDocument(options)
  const { activeId, setActiveId, request, focus } = useActiveBlock(document, place)
  const now = (): HistoryEntry => ({ text, offset: place.offset ?? 0 })

  function write({ document: next, id, caret }: BlockEdit, kind: string) {
    if (textOf(next) !== text) place.history.record(now(), kind, performance.now())
    show(next)
    place.note(offsetOf(next, id, caret))
  }

  /** A change that is more than typing. */
  function change(make: (before: BlockDocument) => BlockEdit | undefined) {
    const next = make(document)
    if (!next) return
    write(next, '')
    focus(next.id, next.caret)
  }

  function type(id: number, shown: string, caret: number) {
    const next = edit(document, id, shown, caret)
    write(next, `type ${id}`)
    const isSplit = next.document.blocks.length !== document.blocks.length
    if (isSplit || next.id !== id) focus(next.id, next.caret)
  }

  function goBack(step: 'undo' | 'redo') {
    const entry = place.history[step](now())
    if (!entry) return
    const next = withText(document, entry.text)
    show(next)
    place.note(entry.offset)
    const { id, caret } = placeAt(next, entry.offset)
    focus(id, caret)
  }

  /** Reads the text anew when another block is entered: what was written may have become other blocks. */
  function enter(id: number, caret?: number) {
    const next = activeId >= 0 && id !== activeId ? withText(document, textOf(document)) : document
    setDocument(next)
    // two lists side by side, for example, have become one
    const isGone = id >= 0 && indexOf(next, id) < 0
    const at = isGone ? placeAt(next, offsetOf(document, id, caret ?? 0)) : { id, caret }
    if (at.caret === undefined) setActiveId(id)
    else focus(at.id, at.caret)
  }

  return {
    document,
    text,
    activeId,
    request,
    change,
    type,
    enter: (id: number) => {
      if (id !== activeId) enter(id)
    },
    /** Puts the caret into another block. */
    open: (id: number, caret: number) => enter(id, caret),
    leave: () => enter(-1),
    noteCaret: (id: number, caret: number) => place.note(offsetOf(document, id, caret)),
    undo: () => goBack('undo'),
    redo: () => goBack('redo'),
    /** Begins a block behind another, or at the end. */
    begin: (id = document.blocks.at(-1)?.id) => change((before) => insertAfter(before, id, [''])),
  }
}

function useWrittenDocument({ value, onChange }: BlockDocumentOptions) {
  const [stored, setStored] = useState(() => documentOf(value))
  const [text, setText] = useState(value)

  // the text may change by other means: a draft that is restored, a version of another member
  if (value !== text) {
    setText(value)
    setStored(withText(stored, value))
  }

  function show(next: BlockDocument) {
    setStored(next)
    const written = textOf(next)
    if (written === text) return
    setText(written)
    onChange(written)
  }

  return { document: atLeastOne(stored), text, show, setDocument: setStored }
}

/** The block that is written in, and where the caret is to be in it. */
function useActiveBlock(document: BlockDocument, place: TextPlace) {
  const [activeId, setActiveId] = useState(-1)
  const [request, setRequest] = useState<FocusRequest>()

  function focus(id: number, caret: number) {
    setActiveId(id)
    setRequest({ id, caret })
  }

  useEffect(() => {
    if (place.offset === undefined) return
    const { id, caret } = placeAt(document, place.offset)
    focus(id, caret)
    // only where the other editor left off
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  return { activeId, setActiveId, request, focus }
}

/** A text without blocks has an empty one to begin at. */
const atLeastOne = (document: BlockDocument): BlockDocument =>
  document.blocks.length > 0 ? document : insertAfter(document, undefined, ['']).document
