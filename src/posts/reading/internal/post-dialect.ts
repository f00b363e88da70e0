import type { Paragraph, Parents, Root, RootContent } from 'mdast'
import remarkDirective from 'remark-directive'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { type PluggableList, type Processor, unified } from 'unified'
import { SKIP, visit } from 'unist-util-visit'
import type { MarkdownDialect } from '#markdown/parse'
import { blockNamed } from '../../blocks'

/** The Markdown of posts: CommonMark, GitHub's additions, and blocks. */
export const postDialect: MarkdownDialect = { parse: parsePart, hasDefinitions: true }

function parsePart(part: string): Root {
  const tree = parser.parse(part)
  if (part.includes('::')) restoreUnknownBlocks(tree, part)
  return tree
}

const parser = unified().use(remarkParse).use(remarkGfm).use(blockDirectivesOnly).use(withoutHtml).freeze()

/** The dialect of posts as they are written: a block that is unknown is one node, so that an editor leaves it whole. */
export const postSourceDialect: MarkdownDialect = {
  parse: (part) => parser.parse(part),
  hasDefinitions: true,
}

const showUnknownBlocks =
  () =>
  (tree: Root, { value }: { value: unknown }): void =>
    restoreUnknownBlocks(tree, String(value))

/** The additions to CommonMark for a parser of another kind. HTML stays as that parser has it. */
export const postSyntax: PluggableList = [remarkGfm, blockDirectivesOnly, showUnknownBlocks]

/** Keeps only the directives that stand on lines of their own: in running text a colon is a colon. */
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
    // a block and its parent may contain the same nodes
    const siblings = parent.children as RootContent[]
    siblings.splice(index, 1, paragraph(line), ...held)
    return [SKIP, index + 1]
  })
}

const paragraph = (text: string): Paragraph => ({
  type: 'paragraph',
  children: [{ type: 'text', value: text.trim() }],
})
