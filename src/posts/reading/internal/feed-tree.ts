import type { Element, ElementContent, Properties, Root } from 'hast'
import { isDynamic } from '../../blocks'
import { isElement, isNamed } from './elements'

/** The tree for feeds. Content that depends on the reader is left out, since a feed is the same for all readers. */
export function forFeed(tree: Root, origin: string): Root {
  return {
    type: 'root',
    children: tree.children.flatMap((child) => forFeedNode(child as ElementContent, origin)),
  }
}

function forFeedNode(node: ElementContent, origin: string): ElementContent[] {
  if (!isElement(node)) return node.type === 'text' ? [node] : []
  const { dataBlock, className } = node.properties
  if (typeof dataBlock === 'string' && isDynamic(dataBlock)) return []
  const children = node.children.flatMap((child) => forFeedNode(child, origin))
  // spans only carry our styles
  if (isNamed(node, 'span')) return children
  if (isNamed(node, 'a') && Array.isArray(className) && className.includes('anchor')) return children
  return [{ type: 'element', tagName: node.tagName, properties: feedProperties(node, origin), children }]
}

const feedAttributes = [
  'id',
  'href',
  'src',
  'alt',
  'width',
  'height',
  'start',
  'type',
  'checked',
  'disabled',
  'open',
]

function feedProperties({ properties }: Element, origin: string): Properties {
  const found = Object.entries(properties).filter(([name]) => feedAttributes.includes(name))
  return Object.fromEntries(
    found.map(([name, value]) => [
      name,
      name === 'src' || name === 'href' ? absolute(String(value), origin) : value,
    ]),
  )
}

/** Makes an address absolute; links within the post stay relative. */
export const absolute = (address: string, origin: string): string =>
  address.startsWith('#') ? address : (URL.parse(address, `${origin}/`)?.href ?? address)
