import type { Root } from 'hast'
import { visit } from 'unist-util-visit'

interface Above {
  /** As it was written. */
  level: number
  drawn: number
}

/**
 * Who listens to a page finds their way by its headings, and is lost where a level is missing. The page's title is the
 * first; what is written two below it is drawn one below it.
 */
export function withoutGaps(tree: Root): void {
  const above: Above[] = []
  visit(tree, 'element', (node) => {
    const level = Number(/^h([1-6])$/.exec(node.tagName)?.[1] ?? 0)
    if (level === 0) return
    while ((above.at(-1)?.level ?? 0) >= level) above.pop()
    const drawn = level === 1 ? 1 : (above.at(-1)?.drawn ?? 1) + 1
    above.push({ level, drawn })
    node.tagName = `h${drawn}`
  })
}
