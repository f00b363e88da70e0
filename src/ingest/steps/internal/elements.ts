import type { Json, Properties } from '#events/event'
import { cleanAddress } from './addresses'
import type { IngestStep } from './step'

const longestChain = 10_000
/** Ancestors of the clicked element beyond this are dropped. */
const mostElements = 50

/**
 * Reads the clicked element and its ancestors: PostHog's chain of elements, from the target upwards. Old SDKs send a
 * list instead.
 */
export const readElements: IngestStep = ({ event: { properties }, columns }) => {
  const chain = properties['$elements_chain']
  const text = typeof chain === 'string' && chain !== '' ? chain : chainOf(properties['$elements'])
  if (text !== '') columns.elements = cleanLinks(wholeElements(text))
}

/** Keeps as many complete elements as fit. A `;` outside quotes ends an element. */
function wholeElements(chain: string): string {
  if (chain.length <= longestChain) return chain
  let end = 0
  let isQuoted = false
  for (let i = 0; i < longestChain; i++) {
    const character = chain.charAt(i)
    if (character === '\\') i++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === ';' && !isQuoted) end = i
  }
  return chain.slice(0, end)
}

const links = /\b((?:attr__)?(?:href|src|action|formaction)=")((?:[^"\\]|\\.)*)"/g

/** Links may contain tokens, as page addresses do. */
const cleanLinks = (chain: string): string =>
  chain.replaceAll(
    links,
    (_link, start: string, address: string) => `${start}${cleanAddress(address, 'kept')}"`,
  )

function chainOf(elements: Json | undefined): string {
  if (!Array.isArray(elements)) return ''
  return elements
    .slice(0, mostElements)
    .flatMap((element) => (isProperties(element) ? elementOf(element) : []))
    .join(';')
}

const isProperties = (value: Json): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Formats one element: its tag, its classes, and its attributes sorted by name. */
function elementOf(element: Properties): string {
  const tag = elementText(element['tag_name']) || 'unknown'
  const classes = classesOf(element).map((name) => `.${name}`)
  const attributes = attributesOf(element)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}="${value.replaceAll(/[\\"]/g, String.raw`\$&`)}"`)
  return `${tag}${classes.join('')}:${attributes.join('')}`
}

function classesOf(element: Properties): string[] {
  const named = element['classes'] ?? element['attr__class'] ?? []
  const names = Array.isArray(named) ? named.map(elementText) : elementText(named).split(/\s+/)
  return names.filter((name) => name !== '').sort()
}

/** Names of the list's fields, and of the chain's attributes. */
const attributeNames: readonly (readonly [string, string])[] = [
  ['attr__id', 'attr_id'],
  ['attr__href', 'href'],
  ['nth_child', 'nth-child'],
  ['nth_of_type', 'nth-of-type'],
  ['$el_text', 'text'],
]

function attributesOf(element: Properties): [string, string][] {
  const own = Object.keys(element).filter((key) => key.startsWith('attr__'))
  const named: [string, string][] = [...own.map((key) => [key, key] as const), ...attributeNames].map(
    ([key, name]) => [name, elementText(element[key])],
  )
  return named.filter(([, value]) => value !== '')
}

function elementText(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(elementText).join(' ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
