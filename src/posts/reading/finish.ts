import type { Element, Root } from 'hast'
import { element, isElement, isNamed, said, solid, text } from './elements'
import { drawPicture, type PictureAt } from './pictures'
import type { ReadingWords } from './words'

interface Finishing {
  words: ReadingWords
  pictureAt: PictureAt
}

/** What Markdown itself has no word for: sizes of pictures, what scrolls, what is said to those who listen. */
export function finish(tree: Root, finishing: Finishing): void {
  const pictures = { isFirst: true }
  tree.children = tree.children.map((child) =>
    isElement(child) ? finished(child, finishing, pictures) : child,
  )
}

function finished(node: Element, finishing: Finishing, pictures: { isFirst: boolean }): Element {
  if (hasClass(node, 'diagram')) return node
  if (isNamed(node, 'img')) return picture(node, finishing, pictures)
  const caption = captionOf(node)
  node.children = node.children.map((child) =>
    isElement(child) ? finished(child, finishing, pictures) : child,
  )
  settle(node, finishing.words)
  if (caption) return element('figure', {}, [...node.children, element('figcaption', {}, [text(caption)])])
  return isNamed(node, 'table') ? scrolling(node, finishing.words.table) : node
}

const hasClass = ({ properties: { className } }: Element, name: string): boolean =>
  Array.isArray(className) && className.includes(name)

function picture(node: Element, { pictureAt }: Finishing, pictures: { isFirst: boolean }): Element {
  const drawn = drawPicture(node, pictureAt, pictures.isFirst)
  pictures.isFirst &&= !isNamed(drawn, 'img')
  return drawn
}

/** The title of a picture that is a paragraph by itself is its caption; one in running text says no more than its alt. */
function captionOf(node: Element): string {
  const [only, ...others] = solid(node.children)
  const isAlone = isNamed(node, 'p') && only && isElement(only, 'img') && others.length === 0
  return isAlone ? said(only, 'title') : ''
}

/** Wide ones scroll by themselves, with keys too. */
const scrolling = (table: Element, label: string): Element =>
  element('div', { className: ['table'], tabIndex: 0, role: 'group', ariaLabel: label }, [table])

/** Attributes that are styles by another name become classes; a box to tick says what it means. */
function settle(node: Element, words: ReadingWords): void {
  const align = said(node, 'align')
  if (isNamed(node, 'td', 'th')) node.properties = align ? { className: [`align-${align}`] } : {}
  if (isNamed(node, 'th')) node.properties.scope = 'col'
  if (isNamed(node, 'input')) node.properties.ariaLabel = node.properties.checked ? words.done : words.open
}
