import type { Element, ElementContent } from 'hast'
import type { ContainerDirective, LeafDirective } from 'mdast-util-directive'
import { attributesOf, type BlockAttributes, blockNamed, isLive } from '../blocks'
import { embedAt } from '../embeds'
import { element, isElement, solid, text, wordsIn } from './elements'

/** What a block holds, as elements, with what was written about it. */
interface Held {
  attributes: BlockAttributes
  /** `:::note[As a label]` says the same as a title. */
  label: string
  children: ElementContent[]
}

/** A block as plain elements. One that depends on who reads is left a place, which `PostBody` fills. */
export function drawBlock(
  node: ContainerDirective | LeafDirective,
  children: ElementContent[],
  label: string,
): Element {
  const { name } = node
  const kind = blockNamed(name)
  const attributes = kind ? attributesOf(kind, node.attributes ?? {}) : {}
  if (isLive(name))
    return element('div', { dataBlock: name, dataAttributes: JSON.stringify(attributes) }, children)
  return (drawn[name] ?? asideOf(name))({ attributes, label, children })
}

/** Those that are not here are asides. */
const drawn: Readonly<Record<string, (held: Held) => Element>> = {
  details: ({ attributes: { title, open }, label, children }) =>
    folded(title || label || 'Details', children, open !== undefined),
  figure: drawFigure,
  hero: drawHero,
  features: ({ attributes: { columns = '3' }, children }) =>
    element(
      'div',
      { className: ['features', /^[234]$/.test(columns) ? `columns-${columns}` : 'columns-3'] },
      fieldsOf(children, 'feature'),
    ),
  prices: ({ attributes: { best }, children }) =>
    element('div', { className: ['prices'] }, fieldsOf(children, 'price', best)),
  questions: ({ children }) =>
    element('div', { className: ['questions'] }, sectionsOf(children).map(drawQuestion)),
  embed: ({ attributes: { address = '', title = '' } }) => drawEmbed(address, title),
}

const asideOf =
  (name: string) =>
  ({ attributes: { title }, label, children }: Held): Element => {
    const heading = title || label
    const named = heading ? [element('p', { className: ['aside-title'] }, [text(heading)])] : []
    return element('aside', { className: ['aside', `aside-${name}`] }, [...named, ...children])
  }

const folded = (title: string, children: ElementContent[], isOpen: boolean): Element =>
  element('details', { open: isOpen }, [element('summary', {}, [text(title)]), ...children])

function drawFigure({ attributes: { caption, wide }, label, children }: Held): Element {
  const held = solid(children)
  const last = held.at(-1)
  const given = caption || label
  const isCaption = !given && held.length > 1 && last && isElement(last, 'p') && wordsIn(last).trim() !== ''
  const words = given ? [text(given)] : isCaption ? last.children : []
  const shown = isCaption ? held.slice(0, -1) : held
  const named = words.length > 0 ? [element('figcaption', {}, words)] : []
  return element('figure', { className: wide === undefined ? [] : ['wide'] }, [
    ...shown.flatMap(withoutParagraph),
    ...named,
  ])
}

/** A picture alone is no paragraph. */
const withoutParagraph = (node: ElementContent): ElementContent[] =>
  isElement(node, 'p') && solid(node.children).every((child) => isElement(child, 'img'))
    ? solid(node.children)
    : [node]

function drawHero({ attributes: { align }, children }: Held): Element {
  const held = solid(children)
  const last = held.at(-1)
  const hasButtons =
    last && isElement(last, 'p') && solid(last.children).every((child) => isElement(child, 'a', 'br'))
  if (hasButtons) last.properties = { className: ['buttons'] }
  return element('div', { className: ['hero', align === 'start' ? 'hero-start' : 'hero-center'] }, held)
}

/** A heading and what follows it up to the next of its level. */
interface Section {
  heading: Element | undefined
  rest: ElementContent[]
}

function sectionsOf(children: readonly ElementContent[]): Section[] {
  const held = solid(children)
  const level = held.find((node) => isElement(node, ...headings))
  const sections: Section[] = []
  for (const node of held) {
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
    const isBest = best !== undefined && heading !== undefined && wordsIn(heading).trim() === best.trim()
    const className = isBest ? [name, 'best'] : [name]
    return element('div', { className }, heading ? [heading, ...rest] : rest)
  })
}

function drawQuestion({ heading, rest }: Section): Element {
  return heading ? folded(wordsIn(heading), rest, false) : element('div', {}, rest)
}

/** A link that needs no script; the script of the site puts a frame in its place when it is pressed. */
function drawEmbed(address: string, title: string): Element {
  const embed = embedAt(address, title)
  if (!embed) return element('p', {}, [element('a', { href: address }, [text(title || address)])])
  return element('p', { className: ['embed'] }, [
    element('a', { href: embed.address, dataEmbed: embed.player }, [
      element('span', { className: ['embed-title'] }, [text(embed.title)]),
      element('span', { className: ['embed-from'] }, [text(embed.from)]),
    ]),
  ])
}
