import type { SourceBlock } from '#markdown/source-blocks'
import { splitPostBody } from '#posts/source-blocks'

/** A block in the editor; its number stays while its text changes. */
export interface EditorBlock extends SourceBlock {
  id: number
  /** The gap before a block that has been begun, as it was: put back where nothing comes of the block. */
  gapBefore?: string
}

/** A text as the editor holds it: cut into blocks, nothing of it changed. */
export interface BlockDocument {
  before: string
  blocks: readonly EditorBlock[]
  /** The number of the next new block. */
  nextId: number
}

/** A document after a change, and the place to write on at. */
export interface BlockEdit {
  document: BlockDocument
  id: number
  /** In the block as it is shown, with line feeds only. */
  caret: number
}

export function documentOf(text: string): BlockDocument {
  const { before, blocks } = splitPostBody(text)
  return { before, blocks: blocks.map((block, id) => ({ ...block, id })), nextId: blocks.length }
}

/** The text; what was begun and is empty leaves no trace in it. */
export const textOf = (document: BlockDocument): string => {
  const { before, blocks } = withoutEmpty(document)
  return before + blocks.map(({ source, gap }) => source + gap).join('')
}

const isEmpty = ({ source }: EditorBlock): boolean => source.trim() === ''

/** Removes empty blocks: what was begun, and what was emptied. */
function withoutEmpty(document: BlockDocument): BlockDocument {
  // from the end on: one that was begun after another remembers the gap that the other opened
  return document.blocks.filter(isEmpty).reduceRight((before, { id }) => remove(before, id), document)
}

/** Splits another text, and recognizes the blocks of before in it. */
export function withText(document: BlockDocument, text: string): BlockDocument {
  const { before, blocks } = splitPostBody(text)
  const old = withoutEmpty(document).blocks
  const start = sameCount(old, blocks)
  const end = sameCount(old.slice(start).toReversed(), blocks.slice(start).toReversed())
  let { nextId } = document
  const idAt = (index: number): number => {
    const fromEnd = blocks.length - index
    if (fromEnd <= end) return old.at(-fromEnd)?.id ?? nextId++
    const changed = old[index]
    return changed && index < old.length - end ? changed.id : nextId++
  }
  const known = new Map(old.map((block) => [block.id, block]))
  const numbered = blocks.map((block, index): EditorBlock => {
    const id = idAt(index)
    const same = known.get(id)
    // the same object, so that what shows it is not drawn again
    return same && isSame(same, block) ? same : { ...block, id }
  })
  return { before, blocks: numbered, nextId }
}

const isSame = (one: EditorBlock, other: SourceBlock): boolean =>
  one.source === other.source &&
  one.gap === other.gap &&
  one.type === other.type &&
  one.gapBefore === undefined

function sameCount(one: readonly SourceBlock[], other: readonly SourceBlock[]): number {
  const differing = one.findIndex(({ source }, index) => source !== other[index]?.source)
  return differing < 0 ? Math.min(one.length, other.length) : differing
}

export const indexOf = ({ blocks }: BlockDocument, id: number): number =>
  blocks.findIndex((block) => block.id === id)

export const blockOf = ({ blocks }: BlockDocument, id: number): EditorBlock | undefined =>
  blocks.find((block) => block.id === id)

/** The text of a block as a field of the browser holds it. */
export const shownText = ({ source }: Pick<SourceBlock, 'source'>): string =>
  source.replaceAll(/\r\n?/g, '\n')

const asShown = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/** The block's line end, or else that of the text. */
function lineEnd(document: BlockDocument, source: string): string {
  const ends = /\r\n|\r|\n/
  const [end = '\n'] = ends.exec(source) ?? ends.exec(joined(document)) ?? []
  return end
}

const joined = ({ before, blocks }: BlockDocument): string =>
  before + blocks.map(({ source, gap }) => source + gap).join('')

/** A longer one is not parsed again with each letter. */
const maxParsedLength = 20_000

/** Writes a block anew. Where its text is more than one block now, it becomes these. */
export function edit(document: BlockDocument, id: number, shown: string, caret: number): BlockEdit {
  const block = blockOf(document, id)
  if (!block) return { document, id, caret }
  const source = shown.replaceAll('\n', lineEnd(document, block.source))
  const parts = source.length > maxParsedLength ? [] : splitPostBody(source).blocks
  const changed = replaced(document, id, { source, type: parts[0]?.type ?? 'paragraph' })
  return parts.length > 1 ? settle({ document: changed, id, caret }) : { document: changed, id, caret }
}

const replaced = (document: BlockDocument, id: number, part: Partial<EditorBlock>): BlockDocument => ({
  ...document,
  blocks: document.blocks.map((block) => (block.id === id ? { ...block, ...part } : block)),
})

/** Splits the whole text again, as the site reads it, and finds the place to write at in it. */
export function settle({ document, id, caret }: BlockEdit): BlockEdit {
  const offset = offsetOf(document, id, caret)
  const settled = withText(document, textOf(document))
  return { document: settled, ...placeAt(settled, offset) }
}

/** The caret's offset in the text, counted as it is shown. */
export function offsetOf(document: BlockDocument, id: number, caret: number): number {
  const index = indexOf(document, id)
  const kept = withoutEmpty({ ...document, blocks: document.blocks.slice(0, Math.max(0, index)) })
  return asShown(joined(kept)).length + (index < 0 ? 0 : caret)
}

/** The block at an offset of the text; between two it is the end of the former. */
export function placeAt(document: BlockDocument, offset: number): { id: number; caret: number } {
  let start = asShown(document.before).length
  let last = { id: -1, caret: 0 }
  for (const block of document.blocks) {
    if (offset < start && last.id >= 0) return last
    const { length } = shownText(block)
    last = { id: block.id, caret: Math.min(Math.max(0, offset - start), length) }
    if (offset <= start + length) return last
    start += length + asShown(block.gap).length
  }
  return last
}

/** Puts a new block after another, or before all; several texts become several blocks. */
export function insertAfter(
  document: BlockDocument,
  id: number | undefined,
  texts: readonly string[],
): BlockEdit {
  const end = lineEnd(document, '')
  const written = texts.map((text) => text.replaceAll('\n', end))
  const index = id === undefined ? -1 : indexOf(document, id)
  const before = document.blocks[index]
  const isLast = index === document.blocks.length - 1
  const between = end + end
  const blocks = written.map((source, place): EditorBlock => {
    const isLastOfAll = isLast && place === written.length - 1
    return {
      id: document.nextId + place,
      type: typeOf(source),
      source,
      gap: isLastOfAll ? (before?.gap ?? '') : between,
      ...(place === 0 && before ? { gapBefore: before.gap } : {}),
    }
  })
  const opened = before
    ? replaced(document, before.id, { gap: apart(before.gap, isLast, between) })
    : document
  return {
    document: {
      ...opened,
      blocks: opened.blocks.toSpliced(index + 1, 0, ...blocks),
      nextId: document.nextId + blocks.length,
    },
    id: document.nextId + blocks.length - 1,
    caret: (texts.at(-1) ?? '').length,
  }
}

const typeOf = (source: string): SourceBlock['type'] => splitPostBody(source).blocks[0]?.type ?? 'paragraph'

/** A gap with an empty line in it, without which two paragraphs are one. */
function apart(gap: string, isLast: boolean, between: string): string {
  if (isLast) return between
  return (gap.match(/\r\n|\r|\n/g) ?? []).length < 2 ? between : gap
}

export function remove(document: BlockDocument, id: number): BlockDocument {
  const index = indexOf(document, id)
  const block = document.blocks[index]
  if (!block) return document
  const rest = document.blocks.filter((one) => one.id !== id)
  const closed = { ...document, blocks: rest }
  const before = document.blocks[index - 1]
  if (!before) return rest.length > 0 ? closed : { ...closed, before: closed.before + block.gap }
  const after = document.blocks[index + 1]
  const isBegun = isEmpty(block) && block.gapBefore !== undefined
  // a block that was begun behind it stands where it stood
  if (isBegun && after?.gapBefore !== undefined)
    return replaced(closed, after.id, { gapBefore: block.gapBefore ?? '' })
  if (isBegun) return replaced(closed, before.id, { gap: block.gapBefore ?? '' })
  return after ? closed : replaced(closed, before.id, { gap: block.gap })
}

/** Moves a block to another place among the others. Gaps stay where they are, widened where blocks would become one. */
export function move(document: BlockDocument, id: number, to: number): BlockDocument {
  const all = withoutEmpty(document)
  const from = indexOf(all, id)
  const moved = all.blocks[from]
  const target = Math.min(Math.max(0, to), all.blocks.length - 1)
  if (!moved || target === from) return document
  const end = lineEnd(all, '')
  const order = all.blocks.toSpliced(from, 1).toSpliced(target, 0, moved)
  const [low, high] = [Math.min(from, target) - 1, Math.max(from, target)]
  const blocks = order.map((block, index): EditorBlock => {
    const gap = all.blocks[index]?.gap ?? ''
    const isTouched = index >= low && index <= high && index < order.length - 1
    return { ...block, gap: isTouched ? apart(gap, false, end + end) : gap }
  })
  return { ...all, blocks }
}

export function duplicate(document: BlockDocument, id: number): BlockEdit {
  const block = blockOf(document, id)
  return block ? insertAfter(document, id, [shownText(block)]) : { document, id, caret: 0 }
}

/** Enter in running text: what stands behind the caret becomes a block of its own. */
export function splitAt(document: BlockDocument, id: number, caret: number): BlockEdit {
  const block = blockOf(document, id)
  if (!block) return { document, id, caret }
  const shown = shownText(block)
  const end = lineEnd(document, block.source)
  const kept = replaced(document, id, { source: shown.slice(0, caret).replaceAll('\n', end) })
  const rest = shown.slice(caret).replace(/^[ \t\n]+/, '')
  const { document: next, id: begun } = insertAfter(kept, id, [rest])
  return { document: next, id: begun, caret: 0 }
}

/** Backspace at the beginning of a block: it is joined with the one before it where both are running text. */
export function joinBefore(document: BlockDocument, id: number): BlockEdit | undefined {
  const index = indexOf(document, id)
  const block = document.blocks[index]
  const before = document.blocks[index - 1]
  if (!block || !before) return undefined
  const caret = shownText(before).length
  if (isEmpty(block)) return { document: remove(document, id), id: before.id, caret }
  if (isEmpty(before)) return { document: remove(document, before.id), id, caret: 0 }
  if (!isRunning(before) || block.type !== 'paragraph') return { document, id: before.id, caret }
  const whole = replaced(document, before.id, { source: before.source + block.source, gap: block.gap })
  return {
    document: { ...whole, blocks: whole.blocks.filter((one) => one.id !== id) },
    id: before.id,
    caret,
  }
}

export const isRunning = ({ type }: SourceBlock): boolean => type === 'paragraph' || type === 'heading'
