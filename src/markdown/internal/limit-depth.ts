import type { Root, RootContent } from 'mdast'

/** Everything after this walks trees by calling itself; a text of brackets in brackets would exhaust that. */
const maxDepth = 60
/** Each is a link back, with a number of its own. */
const maxReferences = 100

/** The tree with nothing too deep in it: below, words remain. And no footnote that is pointed at from everywhere. */
export function limitDepth(root: Root): Root {
  const references = new Map<string, number>()
  const waiting: { node: Root | RootContent; depth: number }[] = [{ node: root, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next
    if (!('children' in node)) continue
    // the replacement of a child may stand wherever running text may
    const children = node.children as RootContent[]
    for (const [place, child] of children.entries()) {
      if (exceedsLimits(child, depth, references)) children[place] = { type: 'text', value: textOf(child) }
      else waiting.push({ node: child, depth: depth + 1 })
    }
  }
  return root
}

function exceedsLimits(node: RootContent, depth: number, references: Map<string, number>): boolean {
  if (depth >= maxDepth && 'children' in node) return true
  if (node.type !== 'footnoteReference') return false
  const count = (references.get(node.identifier) ?? 0) + 1
  references.set(node.identifier, count)
  return count > maxReferences
}

function textOf(node: RootContent): string {
  const words: string[] = []
  const waiting: RootContent[] = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if ('value' in next) words.push(next.value)
    else if (next.type === 'footnoteReference') words.push(`[^${next.label ?? next.identifier}]`)
    else if ('children' in next) waiting.push(...next.children.toReversed())
  }
  return words.join(' ')
}
