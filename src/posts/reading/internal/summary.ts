import type { Element, Root } from 'hast'
import type { PostDocument } from '../../markdown'
import type { Picture } from '../../post'
import { type Embed, embedAt } from '../../embeds'
import { countWords } from '../../internal/reading-time'
import { isElement, isNamed, attributeText, textIn } from './elements'

type DocumentSummary = Pick<PostDocument, 'words' | 'text' | 'opening' | 'pictures' | 'embeds'>

/** The facts of a parsed post. */
export function summaryOf(tree: Root): DocumentSummary {
  const all = elementsIn(tree)
  const text = linesIn(tree).join('\n')
  return {
    text,
    words: countWords(text),
    opening: truncate(openingText(tree)),
    pictures: all.filter((one) => isNamed(one, 'img')).map(pictureIn),
    embeds: all.filter(({ properties }) => properties.dataEmbed).flatMap(embedIn),
  }
}

const elementsIn = (parent: Root | Element): Element[] =>
  parent.children.flatMap((child) => (isElement(child) ? [child, ...elementsIn(child)] : []))

const blockNames = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'td', 'th', 'figcaption', 'summary', 'li']
const containerNames = [
  'p',
  'ul',
  'ol',
  'div',
  'table',
  'blockquote',
  'section',
  'pre',
  'figure',
  'aside',
  'details',
]

/** Returns the text of each block. */
function linesIn(parent: Root | Element): string[] {
  return parent.children.flatMap((child) => {
    if (!isElement(child)) return child.type === 'text' && child.value.trim() ? [child.value.trim()] : []
    const isLine =
      blockNames.includes(child.tagName) && !child.children.some((one) => isElement(one, ...containerNames))
    if (!isLine) return linesIn(child)
    const words = textIn(child).trim()
    return words ? [words] : []
  })
}

/** Uses paragraphs only: headings and code say little about the content. */
function openingText(parent: Root | Element): string {
  let beginning = ''
  for (const child of parent.children) {
    if (beginning.length > maxOpeningLength) break
    if (isElement(child)) beginning = `${beginning} ${paragraphText(child)}`.trim()
  }
  return beginning
}

function paragraphText(element: Element): string {
  if (isNamed(element, 'p')) return childProse(element)
  const mayBegin = isNamed(element, 'div', 'blockquote', 'aside') && !element.properties.dataBlock
  return mayBegin ? openingText(element) : ''
}

/** Returns the text without tags, which posts show as they are written, and without rows of buttons. */
function childProse(parent: Element): string {
  const children = parent.children.filter((child) => !isElement(child, 'img', 'sup'))
  const isProse = children.some((child) => !isElement(child, 'a', 'br') && textIn(child).trim() !== '')
  if (!isProse) return ''
  return withoutTags(children.map(textIn).join('')).replaceAll(/\s+/g, ' ').trim()
}

/** No comment is looked for behind the last end of one: each beginning there would be followed to the end of the text. */
function withoutTags(text: string): string {
  const lastEnd = text.lastIndexOf('-->')
  const border = lastEnd === -1 ? 0 : lastEnd + '-->'.length
  const [before, after] = [text.slice(0, border), text.slice(border)]
  return (
    before.replaceAll(/<!--.*?-->|<\/?[a-z][^<>]*>/gis, ' ') + after.replaceAll(/<\/?[a-z][^<>]*>/gi, ' ')
  )
}

const maxOpeningLength = 200

/** Whether a beginning has its full length, so that more text would not change it. */
export const isTruncated = (opening: string): boolean =>
  opening.length > maxOpeningLength / 2 && opening.endsWith('…')

function truncate(text: string): string {
  if (text.length <= maxOpeningLength) return text
  const short = text.slice(0, maxOpeningLength)
  const end = short.lastIndexOf(' ')
  return `${(end > maxOpeningLength / 2 ? short.slice(0, end) : short).replace(/[\s,;:.–—-]+$|[\uD800-\uDBFF]$/u, '')}…`
}

function pictureIn(image: Element): Picture {
  const { width, height } = image.properties
  return {
    address: attributeText(image, 'src'),
    alt: attributeText(image, 'alt'),
    width: typeof width === 'number' ? width : undefined,
    height: typeof height === 'number' ? height : undefined,
  }
}

function embedIn(link: Element): Embed[] {
  const [title] = link.children
  const embed = embedAt(attributeText(link, 'href'), title ? textIn(title) : '')
  return embed ? [embed] : []
}
