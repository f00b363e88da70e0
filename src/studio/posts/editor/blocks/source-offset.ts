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
export function textBefore(element: Element, x: number, y: number): string | undefined {
  const position = document.caretPositionFromPoint?.(x, y)
  if (!position || !element.contains(position.offsetNode)) return undefined
  const range = document.createRange()
  range.setStart(element, 0)
  range.setEnd(position.offsetNode, position.offset)
  return range.toString()
}
