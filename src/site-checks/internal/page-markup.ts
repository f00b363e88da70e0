import type { Element, Nodes } from 'hast'
import rehypeParse from 'rehype-parse'
import { unified } from 'unified'
import { nestingOf } from '#markdown/html-nesting'
import { type PlatformName, platformOf } from '../platform'

/** Facts in the HTML of a page. Its texts are those of a stranger. */
export interface PageMarkup {
  /** Whether a script of the page names the project's write key. */
  hasTag: boolean
  platform: PlatformName | undefined
  /** The names of its buttons, in their order. */
  buttons: readonly string[]
}

/** Deeper pages would exhaust the stack of the parser. */
const deepest = 400
const mostButtons = 5
const longestName = 40

export const noMarkup: PageMarkup = { hasTag: false, platform: undefined, buttons: [] }

export function readMarkup(html: string, writeKey: string): PageMarkup {
  if (nestingOf(html) > deepest) return noMarkup
  const elements = elementsIn(parser.parse(html))
  return {
    hasTag: elements.some((element) => element.tagName === 'script' && namesKey(element, writeKey)),
    platform: platformOf({ generator: generatorOf(elements), assets: elements.flatMap(assetOf) }),
    buttons: [...new Set(elements.flatMap(buttonName))].slice(0, mostButtons),
  }
}

const parser = unified().use(rehypeParse)

function elementsIn(node: Nodes): Element[] {
  const own = node.type === 'element' ? [node] : []
  if (isHidden(node)) return []
  return 'children' in node ? [...own, ...node.children.flatMap(elementsIn)] : own
}

const isHidden = (node: Nodes): boolean =>
  node.type === 'element' &&
  node.tagName !== 'script' &&
  (node.properties['hidden'] === true || node.properties['ariaHidden'] === 'true')

const attribute = ({ properties }: Element, name: string): string => {
  const value = properties[name]
  return typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : ''
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node && !isHidden(node) ? node.children.map(textOf).join('') : ''
}

const namesKey = (script: Element, writeKey: string): boolean =>
  attribute(script, 'dataProject') === writeKey || textOf(script).includes(writeKey)

const generatorOf = (elements: readonly Element[]): string => {
  const meta = elements.find(
    (element) => element.tagName === 'meta' && attribute(element, 'name').toLowerCase() === 'generator',
  )
  return meta ? attribute(meta, 'content') : ''
}

const assetOf = (element: Element): string[] => {
  if (element.tagName === 'link') return [attribute(element, 'href')]
  return element.tagName === 'script' || element.tagName === 'img' ? [attribute(element, 'src')] : []
}

function buttonName(element: Element): string[] {
  if (!isButton(element)) return []
  const text = element.tagName === 'input' ? attribute(element, 'value') : textOf(element)
  // control, format and bidirectional characters would disguise what is read
  const name = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return name.length <= longestName && /\p{L}/u.test(name) ? [name] : []
}

const isButton = (element: Element): boolean => {
  if (element.tagName === 'button') return true
  if (element.tagName === 'input') return attribute(element, 'type') === 'submit'
  return (
    element.tagName === 'a' &&
    (attribute(element, 'role') === 'button' ||
      /(?:^|[\s_-])(?:btn|button|cta)/i.test(attribute(element, 'className')))
  )
}
