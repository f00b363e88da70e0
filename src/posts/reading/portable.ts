import type { Element, ElementContent, Properties, Root } from 'hast'
import { isLive } from '../blocks'
import { isElement, isNamed } from './elements'

/** A tree for readers elsewhere. What depends on who reads is left out: a feed is the same for everybody. */
export function portable(tree: Root, origin: string): Root {
  return {
    type: 'root',
    children: tree.children.flatMap((child) => carried(child as ElementContent, origin)),
  }
}

function carried(node: ElementContent, origin: string): ElementContent[] {
  if (!isElement(node)) return node.type === 'text' ? [node] : []
  const { dataBlock, className } = node.properties
  if (typeof dataBlock === 'string' && isLive(dataBlock)) return []
  const children = node.children.flatMap((child) => carried(child, origin))
  // what only we have a style for
  if (isNamed(node, 'span')) return children
  if (isNamed(node, 'a') && Array.isArray(className) && className.includes('anchor')) return children
  return [{ type: 'element', tagName: node.tagName, properties: meaningful(node, origin), children }]
}

const kept = ['id', 'href', 'src', 'alt', 'width', 'height', 'start', 'type', 'checked', 'disabled', 'open']

function meaningful({ properties }: Element, origin: string): Properties {
  const found = Object.entries(properties).filter(([name]) => kept.includes(name))
  return Object.fromEntries(
    found.map(([name, value]) => [
      name,
      name === 'src' || name === 'href' ? absolute(String(value), origin) : value,
    ]),
  )
}

/** Links within the post stay so. */
export const absolute = (address: string, origin: string): string =>
  address.startsWith('#') ? address : (URL.parse(address, `${origin}/`)?.href ?? address)
