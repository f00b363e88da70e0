import type { Element, ElementContent, Nodes, Root } from 'hast'
import type { Link, Root as MarkdownRoot, Paragraph } from 'mdast'
import type { ContainerDirective, LeafDirective } from 'mdast-util-directive'
import rehypeParse from 'rehype-parse'
import rehypeRemark, { type Options } from 'rehype-remark'
import remarkDirective from 'remark-directive'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { type Processor, unified } from 'unified'
import { SKIP, visit } from 'unist-util-visit'
import { nestingOf } from '#markdown/html-nesting'
import { embedAt } from '../../embeds'

/** A text of another product, as Markdown with the blocks of posts. */
export interface ConvertedText {
  /** The Markdown, with other addresses of pictures where the map has them. */
  markdown: (addresses?: ReadonlyMap<string, string>) => string
  /** Pictures on other servers. */
  pictures: readonly string[]
  /** Pictures that are named without their server, by a path that leads nowhere here. */
  pathPictures: readonly string[]
  /** Elements that Markdown cannot hold, with the number of each. */
  dropped: ReadonlyMap<string, number>
}

/** Deeper texts are no texts of people, and would exhaust the stack of the converter. */
const deepest = 400
const longest = 5_000_000

export const isConvertible = (html: string): boolean => html.length <= longest && nestingOf(html) <= deepest

/** Converts HTML; undefined if it is too long or too deep to be a text. */
export function convertHtml(html: string, origin: string | undefined): ConvertedText | undefined {
  if (!isConvertible(html)) return undefined
  const dropped = new Map<string, number>()
  const tree = parser.parse(html)
  tidy(tree, { origin, drop: (what) => void dropped.set(what, (dropped.get(what) ?? 0) + 1) })
  const markdown = converter.runSync(tree)
  return {
    markdown: (addresses = new Map()) => writer.stringify(withPictures(markdown, addresses)).trim(),
    pictures: picturesIn(markdown, /^https?:/i),
    pathPictures: picturesIn(markdown, /^(?![a-z][a-z0-9+.-]*:)./i),
    dropped,
  }
}

const parser = unified().use(rehypeParse, { fragment: true })

const handlers: NonNullable<Options['handlers']> = {
  // a caption belongs to its picture
  figure: (state, element: Element) => {
    const caption = element.children.find((child) => isElement(child, 'figcaption'))
    const content = { ...element, children: element.children.filter((child) => child !== caption) }
    const children = state.toFlow(state.all(content))
    const text = caption ? textOf(caption) : ''
    if (text === '' || children.length === 0) return children
    const figure: ContainerDirective = {
      type: 'containerDirective',
      name: 'figure',
      attributes: { caption: text },
      children,
    }
    return figure
  },
  iframe: (_state, element: Element) => embedOf(element),
}

const converter = unified().use(rehypeRemark, { handlers })

/** Escapes colons only where a block could begin: in running text a colon is a colon. */
function blockDirectivesOnly(this: Processor) {
  remarkDirective.call(this)
  const extension = this.data().toMarkdownExtensions?.at(-1)
  if (extension?.unsafe) extension.unsafe = extension.unsafe.filter(({ atBreak }) => atBreak === true)
}

const writer = unified()
  .use(remarkStringify, { bullet: '-', emphasis: '_', fences: true, rule: '-' })
  .use(remarkGfm)
  .use(blockDirectivesOnly)

const isElement = (node: { type: string }, name: string): node is Element =>
  node.type === 'element' && (node as Element).tagName === name

/** The text of an element, on one line. */
function textOf(node: Element | Root): string {
  const parts: string[] = []
  visit(node, 'text', ({ value }) => void parts.push(value))
  return parts.join('').replaceAll(/\s+/g, ' ').trim()
}

const attribute = (element: Element, name: string): string => {
  const value = element.properties[name]
  return typeof value === 'string' ? value : ''
}

/** Elements without a text for readers. */
const technical = new Set(['script', 'style', 'template', 'link', 'meta', 'noscript'])

/** Elements that Markdown has no form for: their text is kept, and the loss is named. */
const lost: Readonly<Record<string, string>> = {
  form: 'form',
  input: 'form field',
  button: 'button',
  select: 'form field',
  textarea: 'form field',
  object: 'embedded object',
  embed: 'embedded object',
  canvas: 'drawing',
  svg: 'drawing',
  math: 'formula',
}

interface Tidying {
  origin: string | undefined
  drop: (what: string) => void
}

/** Removes what is not text, and completes the addresses of pictures. */
function tidy(tree: Root, { origin, drop }: Tidying): void {
  visit(tree, (node, index, parent) => {
    if (!parent || index === undefined) return undefined
    const replacement = replacementOf(node, drop)
    if (replacement) {
      parent.children.splice(index, 1, ...replacement)
      return [SKIP, index]
    }
    if (isElement(node, 'img')) completePicture(node, origin)
    if (isElement(node, 'iframe') && !embedAddress(node)) drop('embedded page')
    return undefined
  })
}

/** Returns the replacement of a node that is not kept; undefined for one that is. */
function replacementOf(node: Nodes, drop: Tidying['drop']): ElementContent[] | undefined {
  if (node.type === 'comment') return []
  if (node.type !== 'element') return undefined
  const { tagName, children } = node
  const loss = tagName === 'script' ? 'script' : Object.hasOwn(lost, tagName) ? lost[tagName] : undefined
  if (loss !== undefined) drop(loss)
  if (tagName === 'form') return children
  return loss !== undefined || technical.has(tagName) ? [] : undefined
}

/** Pictures that are loaded late have their address elsewhere; `data:` holds only a placeholder. */
function completePicture(image: Element, origin: string | undefined): void {
  const written = attribute(image, 'src')
  const late = attribute(image, 'dataSrc')
  const address = late !== '' && (written === '' || written.startsWith('data:')) ? late : written
  image.properties['src'] = URL.parse(address.replace(/^\/\//, 'https://'), origin)?.href ?? address
}

const frameAddress = (frame: Element): string => attribute(frame, 'src').replace(/^\/\//, 'https://')

const embedAddress = (frame: Element): string | undefined => embedAt(frameAddress(frame), '')?.address

/** Players of sites that posts embed become embeds, other pages links. */
function embedOf(frame: Element): LeafDirective | Paragraph {
  const [address, title, url] = [embedAddress(frame), attribute(frame, 'title'), frameAddress(frame)]
  if (address !== undefined) {
    const attributes = title === '' ? { address } : { address, title }
    return { type: 'leafDirective', name: 'embed', attributes, children: [] }
  }
  const link: Link = { type: 'link', url, children: [{ type: 'text', value: title || url }] }
  return { type: 'paragraph', children: url === '' ? [] : [link] }
}

function picturesIn(tree: MarkdownRoot, pattern: RegExp): string[] {
  const found = new Set<string>()
  visit(tree, 'image', ({ url }) => {
    if (pattern.test(url)) found.add(url)
  })
  return [...found]
}

function withPictures(tree: MarkdownRoot, addresses: ReadonlyMap<string, string>): MarkdownRoot {
  const copy = structuredClone(tree)
  visit(copy, 'image', (image) => {
    image.url = addresses.get(image.url) ?? image.url
  })
  return copy
}
