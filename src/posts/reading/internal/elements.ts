import type { Element, ElementContent, Nodes, Properties } from 'hast'

export function element(
  name: string,
  properties: Properties,
  children: readonly ElementContent[] = [],
): Element {
  return { type: 'element', tagName: name, properties, children: [...children] }
}

export const text = (value: string): ElementContent => ({ type: 'text', value })

export const isElement = (node: Nodes, ...names: readonly string[]): node is Element =>
  node.type === 'element' && (names.length === 0 || names.includes(node.tagName))

/** Compares the name of an element. */
export const isNamed = ({ tagName }: Element, ...names: readonly string[]): boolean => names.includes(tagName)

/** The text of an attribute; '' if it is absent. */
export function attributeText({ properties }: Element, name: string): string {
  const value = properties[name]
  return typeof value === 'string' ? value : ''
}

const isSpace = (node: Nodes): boolean => node.type === 'text' && node.value.trim() === ''

/** Removes the line breaks between blocks. */
export const withoutSpace = (nodes: readonly ElementContent[]): ElementContent[] =>
  nodes.filter((node) => !isSpace(node))

/** Returns the text in a node. The text of a picture is its alternative text. */
export function textIn(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (isElement(node, 'img')) return attributeText(node, 'alt')
  return 'children' in node ? node.children.map(textIn).join('') : ''
}
