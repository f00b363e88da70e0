import type { Element, ElementContent, Root } from 'hast'
import { element, isElement, isNamed, attributeText, withoutSpace, text } from './elements'
import { embedsInPlace } from './embed'
import { renderPicture, type PictureLookup } from './pictures'
import type { DocumentWords } from './words'

interface FinishOptions {
  words: DocumentWords
  pictureAt: PictureLookup
}

/** Adds what Markdown cannot express: sizes of pictures, scroll containers, labels for screen readers. */
export function finish(tree: Root, options: FinishOptions): void {
  const pictures = { isFirst: true }
  // a document type, which posts have not, is the only other child of a root
  tree.children = embedsInPlace(tree.children as ElementContent[]).map((child) =>
    isElement(child) ? finishElement(child, options, pictures) : child,
  )
}

function finishElement(node: Element, options: FinishOptions, pictures: { isFirst: boolean }): Element {
  if (isNamed(node, 'img')) return picture(node, options, pictures)
  const caption = captionText(node)
  const children = holdsEmbeds(node) ? embedsInPlace(node.children) : node.children
  node.children = children.map((child) =>
    isElement(child) ? finishElement(child, options, pictures) : child,
  )
  normalizeElement(node, options.words)
  if (caption) return element('figure', {}, [...node.children, element('figcaption', {}, [text(caption)])])
  return isNamed(node, 'table') ? scrollContainer(node, options.words.table) : node
}

/** Whether an element may hold embeds. In lists and quotations an address is a reference. */
const holdsEmbeds = (node: Element): boolean => isNamed(node, 'div', 'figure', 'aside', 'details')

function picture(node: Element, { pictureAt }: FinishOptions, pictures: { isFirst: boolean }): Element {
  const drawn = renderPicture(node, pictureAt, pictures.isFirst)
  pictures.isFirst &&= !isNamed(drawn, 'img')
  return drawn
}

/** The caption: the title of a picture that is a paragraph by itself. A title in running text is ignored. */
function captionText(node: Element): string {
  const [only, ...others] = withoutSpace(node.children)
  const isAlone = isNamed(node, 'p') && only && isElement(only, 'img') && others.length === 0
  return isAlone ? attributeText(only, 'title') : ''
}

/** Wide tables scroll on their own, also by keyboard. */
const scrollContainer = (table: Element, label: string): Element =>
  element('div', { className: ['table'], tabIndex: 0, role: 'group', ariaLabel: label }, [table])

/** Replaces presentational attributes by classes, and labels check boxes. */
function normalizeElement(node: Element, words: DocumentWords): void {
  const align = attributeText(node, 'align')
  if (isNamed(node, 'td', 'th')) node.properties = align ? { className: [`align-${align}`] } : {}
  if (isNamed(node, 'th')) node.properties.scope = 'col'
  if (isNamed(node, 'input')) node.properties.ariaLabel = node.properties.checked ? words.done : words.open
}
