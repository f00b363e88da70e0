import type { Paragraph, Parents, Root, RootContent } from 'mdast'
import remarkDirective from 'remark-directive'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { type Processor, unified } from 'unified'
import { SKIP, visit } from 'unist-util-visit'
import { blockNamed } from '../blocks'
import { limitDepth } from './limit-depth'
import { definitionsFor, type MarkdownReferences, collectReferences } from './references'
import { type MarkdownPart, splitParts } from './parts'

/** Markdown as a tree: CommonMark, GitHub's additions, and blocks. HTML in it is text like any other. */
export function parseMarkdown(text: string): Root {
  const clean = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD')
  const references = collectReferences(clean)
  return limitDepth({
    type: 'root',
    children: splitParts(clean).flatMap((part) => parsePart(part, references)),
  })
}

function parsePart({ text, isPlain }: MarkdownPart, references: MarkdownReferences): RootContent[] {
  if (isPlain) return [paragraph(text)]
  const before = definitionsFor(text, references)
  const tree = parser.parse(before + text)
  if (text.includes('::')) restoreUnknownBlocks(tree, before + text)
  return tree.children.filter(
    ({ type, position }) => type === 'definition' || (position?.start.offset ?? 0) >= before.length,
  )
}

const paragraph = (text: string): Paragraph => ({
  type: 'paragraph',
  children: [{ type: 'text', value: text.trim() }],
})

const parser = unified().use(remarkParse).use(remarkGfm).use(blockDirectivesOnly).use(withoutHtml).freeze()

/** Of directives those that stand on lines of their own: in running text a colon is a colon. */
function blockDirectivesOnly(this: Processor) {
  remarkDirective.call(this)
  const extension = this.data().micromarkExtensions?.at(-1)
  if (extension) delete extension.text
}

function withoutHtml(this: Processor) {
  const extensions = (this.data().micromarkExtensions ??= [])
  extensions.push({ disable: { null: ['htmlFlow', 'htmlText'] } })
}

/** Shows an unknown block as it was written, with its content, so that the author notices the mistake. */
function restoreUnknownBlocks(tree: Root, source: string): void {
  visit(tree, (node, index, parent?: Parents) => {
    if (node.type !== 'containerDirective' && node.type !== 'leafDirective') return undefined
    if (
      !parent ||
      index === undefined ||
      blockNamed(node.name)?.holds === (node.type === 'containerDirective')
    )
      return undefined
    const from = node.position?.start.offset ?? 0
    const [line = ''] = source.slice(from, node.position?.end.offset).split('\n')
    const held = node.type === 'containerDirective' ? node.children : []
    // what a block may hold, its parent may hold, which is a block or the document as well
    const siblings = parent.children as RootContent[]
    siblings.splice(index, 1, paragraph(line), ...held)
    return [SKIP, index + 1]
  })
}
