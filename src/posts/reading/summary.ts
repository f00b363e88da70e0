import type { Element, Root } from 'hast'
import type { PostDocument } from '../markdown'
import type { Picture } from '../post'
import { type Embed, players } from '../embeds'
import { isElement, isNamed, said, wordsIn } from './elements'

type Summary = Pick<PostDocument, 'words' | 'minutes' | 'text' | 'beginning' | 'pictures' | 'embeds'>

/** What is known of a post once it is read. */
export function summaryOf(tree: Root): Summary {
  const all = elementsIn(tree)
  const text = linesIn(tree).join('\n')
  const words = countWords(text)
  return {
    text,
    words,
    minutes: Math.max(1, Math.round(words / wordsAMinute)),
    beginning: cut(beginningOf(tree)),
    pictures: all.filter((one) => isNamed(one, 'img')).map(pictureIn),
    embeds: all.filter(({ properties }) => properties.dataEmbed).map(embedIn),
  }
}

const wordsAMinute = 220

/** Scripts without spaces are counted as readers of them are: two letters take about as long as one word. */
function countWords(text: string): number {
  const letters = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0
  const others = text.match(/[^\s\p{P}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu)?.length ?? 0
  return others + Math.ceil(letters / 2)
}

const elementsIn = (parent: Root | Element): Element[] =>
  parent.children.flatMap((child) => (isElement(child) ? [child, ...elementsIn(child)] : []))

const lines = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'td', 'th', 'figcaption', 'summary', 'li']
const holders = [
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

/** One for each block of words. */
function linesIn(parent: Root | Element): string[] {
  return parent.children.flatMap((child) => {
    if (!isElement(child)) return child.type === 'text' && child.value.trim() ? [child.value.trim()] : []
    const isLine = lines.includes(child.tagName) && !child.children.some((one) => isElement(one, ...holders))
    if (!isLine) return linesIn(child)
    const words = wordsIn(child).trim()
    return words ? [words] : []
  })
}

/** Only paragraphs: headings and code say little about what a text is like. */
function beginningOf(parent: Root | Element): string {
  let beginning = ''
  for (const child of parent.children) {
    if (beginning.length > longestBeginning) break
    if (isElement(child)) beginning = `${beginning} ${proseOf(child)}`.trim()
  }
  return beginning
}

function proseOf(element: Element): string {
  if (isNamed(element, 'p')) return proseIn(element)
  const mayBegin = isNamed(element, 'div', 'blockquote', 'aside') && !element.properties.dataBlock
  return mayBegin ? beginningOf(element) : ''
}

const proseIn = (parent: Element): string =>
  parent.children
    .filter((child) => !isElement(child, 'img', 'sup'))
    .map(wordsIn)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()

const longestBeginning = 200

function cut(text: string): string {
  if (text.length <= longestBeginning) return text
  const short = text.slice(0, longestBeginning)
  const end = short.lastIndexOf(' ')
  return `${(end > longestBeginning / 2 ? short.slice(0, end) : short).replace(/[\s,;:.–—-]+$|[\uD800-\uDBFF]$/u, '')}…`
}

function pictureIn(image: Element): Picture {
  const { width, height } = image.properties
  return {
    address: said(image, 'src'),
    alt: said(image, 'alt'),
    width: typeof width === 'number' ? width : undefined,
    height: typeof height === 'number' ? height : undefined,
  }
}

function embedIn(link: Element): Embed {
  const player = said(link, 'dataEmbed')
  const from = players.find(({ origin }) => player.startsWith(`${origin}/`))?.from ?? ''
  const [title] = link.children
  return { address: said(link, 'href'), player, title: title ? wordsIn(title) : from, from }
}
