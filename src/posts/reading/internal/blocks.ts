import type { Element, ElementContent } from 'hast'
import type { ContainerDirective, LeafDirective } from 'mdast-util-directive'
import { attributesOf, type BlockAttributes, blockNamed, isDynamic } from '../../blocks'
import { element, isElement, withoutSpace, text, textIn } from './elements'
import { renderEmbed } from './embed'

/** The content of a block as elements, and its attributes. */
interface BlockContent {
  attributes: BlockAttributes
  /** `:::note[As a label]` is the same as a title. */
  label: string
  children: ElementContent[]
}

/**
 * Renders a block as plain elements. A block that depends on the reader becomes a placeholder, which `PostBody`
 * fills.
 */
export function renderBlock(
  node: ContainerDirective | LeafDirective,
  children: ElementContent[],
  label: string,
): Element {
  const { name } = node
  const kind = blockNamed(name)
  const attributes = kind ? attributesOf(kind, node.attributes ?? {}) : {}
  if (isDynamic(name))
    return element('div', { dataBlock: name, dataAttributes: JSON.stringify(attributes) }, children)
  return (blockRenderers[name] ?? asideRenderer(name))({ attributes, label, children })
}

/** Renderers by block; other blocks are rendered as asides. */
const blockRenderers: Readonly<Record<string, (held: BlockContent) => Element>> = {
  details: ({ attributes: { title, open }, label, children }) =>
    detailsElement(title || label || 'Details', children, open !== undefined),
  figure: renderFigure,
  hero: renderHero,
  features: ({ attributes: { columns = '3' }, children }) =>
    element(
      'div',
      { className: ['features', /^[234]$/.test(columns) ? `columns-${columns}` : 'columns-3'] },
      fieldsOf(children, 'feature'),
    ),
  prices: ({ attributes: { best }, children }) =>
    element('div', { className: ['prices'] }, fieldsOf(children, 'price', best)),
  questions: ({ children }) =>
    element('div', { className: ['questions'] }, sectionsOf(children).map(renderQuestion)),
  embed: ({ attributes: { address = '', title = '' } }) => renderEmbed(address, title),
}

const asideRenderer =
  (name: string) =>
  ({ attributes: { title }, label, children }: BlockContent): Element => {
    const heading = title || label
    const named = heading ? [element('p', { className: ['aside-title'] }, [text(heading)])] : []
    return element('aside', { className: ['aside', `aside-${name}`] }, [...named, ...children])
  }

const detailsElement = (title: string, children: ElementContent[], isOpen: boolean): Element =>
  element('details', { open: isOpen }, [element('summary', {}, [text(title)]), ...children])

function renderFigure({ attributes: { caption, wide }, label, children }: BlockContent): Element {
  const inner = withoutSpace(children)
  const last = inner.at(-1)
  const captionText = caption || label
  const isCaption =
    !captionText && inner.length > 1 && last && isElement(last, 'p') && textIn(last).trim() !== ''
  const words = captionText ? [text(captionText)] : isCaption ? last.children : []
  const shown = isCaption ? inner.slice(0, -1) : inner
  const named = words.length > 0 ? [element('figcaption', {}, words)] : []
  return element('figure', { className: wide === undefined ? [] : ['wide'] }, [
    ...shown.flatMap(withoutParagraph),
    ...named,
  ])
}

/** A picture alone needs no paragraph. */
const withoutParagraph = (node: ElementContent): ElementContent[] =>
  isElement(node, 'p') && withoutSpace(node.children).every((child) => isElement(child, 'img'))
    ? withoutSpace(node.children)
    : [node]

function renderHero({ attributes: { align }, children }: BlockContent): Element {
  const inner = withoutSpace(children)
  const last = inner.at(-1)
  const hasButtons =
    last && isElement(last, 'p') && withoutSpace(last.children).every((child) => isElement(child, 'a', 'br'))
  if (hasButtons) last.properties = { className: ['buttons'] }
  return element('div', { className: ['hero', align === 'start' ? 'hero-start' : 'hero-center'] }, inner)
}

/** A heading and its content up to the next heading of its level. */
interface HeadedSection {
  heading: Element | undefined
  rest: ElementContent[]
}

function sectionsOf(children: readonly ElementContent[]): HeadedSection[] {
  const current = withoutSpace(children)
  const level = current.find((node) => isElement(node, ...headings))
  const sections: HeadedSection[] = []
  for (const node of current) {
    if (level && isElement(node, ...headings) && 'tagName' in level && node.tagName === level.tagName)
      sections.push({ heading: node, rest: [] })
    else if (sections.length === 0) sections.push({ heading: undefined, rest: [node] })
    else sections.at(-1)?.rest.push(node)
  }
  return sections
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

function fieldsOf(children: readonly ElementContent[], name: string, best?: string): Element[] {
  return sectionsOf(children).map(({ heading, rest }) => {
    const isBest = best !== undefined && heading !== undefined && textIn(heading).trim() === best.trim()
    const className = isBest ? [name, 'best'] : [name]
    return element('div', { className }, heading ? [heading, ...rest] : rest)
  })
}

function renderQuestion({ heading, rest }: HeadedSection): Element {
  return heading ? detailsElement(textIn(heading), rest, false) : element('div', {}, rest)
}
