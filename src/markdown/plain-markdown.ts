import type { Heading, Link, List, Parents, PhrasingContent, Root, RootContent, Strong, Text } from 'mdast'
import remarkParse from 'remark-parse'
import { type Processor, unified } from 'unified'
import { visit } from 'unist-util-visit'
import { linesOf } from './internal/lines'
import { type MarkdownDialect, parseMarkdown } from './parse'

/** Inline content: text, emphasis, code and links. */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong'; inside: Inline[] }
  | { type: 'emphasis'; inside: Inline[] }
  | { type: 'link'; href: string; inside: Inline[] }

/** A block: heading, paragraph, list, quote or code. */
export type Block =
  | { type: 'heading'; level: 1 | 2 | 3; inside: Inline[] }
  | { type: 'paragraph'; inside: Inline[] }
  | { type: 'list'; isNumbered: boolean; items: Inline[][] }
  | { type: 'quote'; inside: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'rule' }

/** Reads the Markdown of short notes. Everything outside this subset, HTML included, stays text. */
export const readPlainMarkdown = (text: string): Block[] =>
  parseMarkdown(text, plainDialect).children.map(blockFrom)

const plainDialect: MarkdownDialect = {
  parse: (part) => {
    const source = separateParagraphs(part)
    const tree = parser.parse(source)
    restoreUnsupported(tree, source)
    return tree
  },
  hasDefinitions: false,
}

/** Makes a line after a list or a quote in a note begin a paragraph. CommonMark would add it to the last entry. */
function separateParagraphs(part: string): string {
  const lines: string[] = []
  for (const { text, isCode } of linesOf(part)) {
    const isAfterEntry = entryPattern.test(lines.at(-1) ?? '')
    if (!isCode && isAfterEntry && /^\S/.test(text) && !entryPattern.test(text)) lines.push('')
    lines.push(text)
  }
  return lines.join('\n')
}

const entryPattern = /^\s*(?:>|[-*+]\s|\d{1,9}[.)]\s)/

/** Constructs of CommonMark that a note does without, so that a note shows their characters as they are. */
const leftOut = [
  'autolink',
  'characterEscape',
  'characterReference',
  'codeIndented',
  'definition',
  'hardBreakEscape',
  'htmlFlow',
  'htmlText',
  'labelStartImage',
  'setextUnderline',
]

const parser = unified().use(remarkParse).use(withoutLeftOut).freeze()

function withoutLeftOut(this: Processor) {
  const extensions = (this.data().micromarkExtensions ??= [])
  extensions.push({ disable: { null: leftOut } })
}

/** Shows links to anything but web pages, small headings and `__strong__` as they were written. */
function restoreUnsupported(tree: Root, source: string): void {
  visit(tree, (node, index, parent?: Parents) => {
    if (!parent || index === undefined || !isUnsupported(node, source)) return undefined
    const written = asWritten(node, source)
    const restored: RootContent[] =
      node.type === 'heading' ? [{ type: 'paragraph', children: written }] : written
    // a heading becomes a paragraph, and a link its own text: each may stand where the other stood
    const siblings = parent.children as RootContent[]
    siblings.splice(index, 1, ...restored)
    return index
  })
}

function isUnsupported(node: Root | RootContent, source: string): node is Heading | Link | Strong {
  if (node.type === 'heading') return node.depth > 3
  if (node.type === 'strong') return source.startsWith('_', node.position?.start.offset)
  return node.type === 'link' && !(isWebPage(node.url) && node.children.length > 0)
}

/** Only web pages: a `javascript:` address, for example, is text. */
const isWebPage = (url: string): boolean =>
  /^(?:https?:\/\/|mailto:)[^\s]/i.test(url) || /^\/(?![/\\])/.test(url)

/** The children of a node between its own marks. */
function asWritten({ children, position }: Heading | Link | Strong, source: string): PhrasingContent[] {
  const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? source.length]
  const first = children[0]?.position?.start.offset ?? end
  const last = children.at(-1)?.position?.end.offset ?? end
  return [textNode(source.slice(start, first)), ...children, textNode(source.slice(last, end))]
}

const textNode = (value: string): Text => ({ type: 'text', value })

function blockFrom(node: RootContent): Block {
  switch (node.type) {
    case 'heading':
      return { type: 'heading', level: levelOf(node), inside: inlinesIn(node) }
    case 'list':
      return { type: 'list', isNumbered: node.ordered === true, items: itemsOf(node) }
    case 'blockquote':
      return { type: 'quote', inside: joined(node.children) }
    case 'code':
      return { type: 'code', text: node.value }
    case 'thematicBreak':
      return { type: 'rule' }
    default:
      return { type: 'paragraph', inside: inlinesIn(node) }
  }
}

const levelOf = ({ depth }: Heading): 1 | 2 | 3 => (depth === 1 || depth === 2 ? depth : 3)

/** Returns the entries of a list. The entries of a nested list follow the entry that holds them. */
const itemsOf = ({ children }: List): Inline[][] =>
  children.flatMap((item) => [
    joined(item.children.filter(({ type }) => type !== 'list')),
    ...item.children.flatMap((child) => (child.type === 'list' ? itemsOf(child) : [])),
  ])

/** Puts the words of several blocks on one line. */
const joined = (blocks: readonly RootContent[]): Inline[] =>
  blocks.flatMap((block, index) => [...(index > 0 ? [space] : []), ...inlinesIn(block)])

const space: Inline = { type: 'text', text: ' ' }

function inlinesIn(node: RootContent): Inline[] {
  switch (node.type) {
    case 'text':
      return [{ type: 'text', text: node.value.replaceAll('\n', ' ') }]
    case 'inlineCode':
    case 'code':
      return [{ type: 'code', text: node.value }]
    case 'strong':
    case 'emphasis':
      return [{ type: node.type, inside: node.children.flatMap(inlinesIn) }]
    case 'link':
      return [{ type: 'link', href: node.url, inside: node.children.flatMap(inlinesIn) }]
    case 'break':
      return [space]
    case 'paragraph':
    case 'heading':
      return node.children.flatMap(inlinesIn)
    default:
      return 'children' in node ? joined(node.children) : []
  }
}
