import Slugger from 'github-slugger'
import type { Element, Root } from 'hast'
import { element, isElement, textIn } from '../reading/internal/elements'

/** A heading and its address. */
export interface PostHeading {
  level: number
  text: string
  /** The id of its element: `#at-install` links to it. */
  id: string
}

const maxIdLength = 80

/** Gives every heading a unique id and links it to itself. `idPrefix` separates posts on one page. */
export function outlineOf(tree: Root, idPrefix: string): PostHeading[] {
  const slugger = new Slugger()
  return headingsIn(tree).map((heading) => {
    const text = textIn(heading).trim()
    const id = `at-${idPrefix}${slugger.slug(text.slice(0, maxIdLength)) || slugger.slug('part')}`
    heading.properties.id = id
    if (text && !holdsLink(heading))
      heading.children = [element('a', { href: `#${id}`, className: ['anchor'] }, heading.children)]
    return { level: Number(heading.tagName.slice(1)), text, id }
  })
}

/** Headings of footnotes and prices are not part of the outline. */
function headingsIn(parent: Root | Element): Element[] {
  return parent.children.flatMap((child) => {
    if (!isElement(child)) return []
    if (/^h[1-6]$/.test(child.tagName)) return [child]
    return isElement(child, 'section', 'details', 'figure') ? [] : headingsIn(child)
  })
}

const holdsLink = (parent: Element): boolean =>
  parent.children.some((child) => isElement(child) && (child.tagName === 'a' || holdsLink(child)))
