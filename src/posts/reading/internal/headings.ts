import type { Root } from 'hast'
import { visit } from 'unist-util-visit'

interface OpenHeading {
  /** The level in the text. */
  level: number
  renderedLevel: number
}

/**
 * Closes gaps between heading levels, because screen-reader users navigate by them. The page's title is level one; a
 * heading two levels below its parent is rendered one below it.
 */
export function closeHeadingGaps(tree: Root): void {
  const openHeadings: OpenHeading[] = []
  visit(tree, 'element', (node) => {
    const level = Number(/^h([1-6])$/.exec(node.tagName)?.[1] ?? 0)
    if (level === 0) return
    while ((openHeadings.at(-1)?.level ?? 0) >= level) openHeadings.pop()
    const drawn = level === 1 ? 1 : (openHeadings.at(-1)?.renderedLevel ?? 1) + 1
    openHeadings.push({ level, renderedLevel: drawn })
    node.tagName = `h${drawn}`
  })
}
