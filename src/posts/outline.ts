import Slugger from 'github-slugger'
import type { Element, Root } from 'hast'
import { element, isElement, textIn } from './reading/elements'

/** A heading, and where it is. */
export interface PostHeading {
  level: number
  text: string
  /** Of its element: `#at-install` leads there. */
  id: string
}

const maxIdLength = 80

/** Gives every heading a name of its own to be linked to, and makes it the link. `within` keeps posts on one page apart. */
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

/** Those of footnotes and plans are no part of what a post is about. */
function headingsIn(parent: Root | Element): Element[] {
  return parent.children.flatMap((child) => {
    if (!isElement(child)) return []
    if (/^h[1-6]$/.test(child.tagName)) return [child]
    return isElement(child, 'section', 'details', 'figure') ? [] : headingsIn(child)
  })
}

const holdsLink = (parent: Element): boolean =>
  parent.children.some((child) => isElement(child) && (child.tagName === 'a' || holdsLink(child)))
