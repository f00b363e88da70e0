import type { DrawnElement } from './svg-document'

/** One element of a selector, such as `g.node[id="a"]`, and how it relates to the element before it. */
interface SelectorPart {
  relation: 'descendant' | 'child' | 'self'
  tests: readonly ((element: DrawnElement) => boolean)[]
}

export interface Selector {
  parts: readonly SelectorPart[]
  /** The specificity as one number: ids, then classes and attributes, then names. */
  weight: number
}

const cache = new Map<string, readonly Selector[]>()

/** Parses the selectors that Mermaid uses. Those with pseudo classes such as `:hover` match nothing in a drawing. */
export function parseSelectors(text: string): readonly Selector[] {
  const known = cache.get(text)
  if (known) return known
  const parsed = text.split(/,(?![^[(]*[\])])/).flatMap((one) => parseSelector(one.trim()) ?? [])
  if (cache.size < 5000) cache.set(text, parsed)
  return parsed
}

type ElementTest = SelectorPart['tests'][number]

/** One condition on an element. */
interface Condition {
  weight: number
  test: ElementTest
}

/** The conditions of a selector; each pattern is tried at the current place. */
const conditionKinds: readonly [pattern: RegExp, read: (groups: readonly string[]) => Condition][] = [
  [
    /#((?:[\w-]|[^\0-\x7f]|\\.)+)/y,
    ([id = '']) => {
      const wanted = unescaped(id)
      return { weight: 10_000, test: (element) => element.getAttribute('id') === wanted }
    },
  ],
  [
    /\.((?:[\w-]|[^\0-\x7f]|\\.)+)/y,
    ([name = '']) => {
      const wanted = unescaped(name)
      return { weight: 100, test: (element) => element.classList.contains(wanted) }
    },
  ],
  [
    /\[\s*([\w:-]+)\s*(?:([~|^$*]?=)\s*["']?([^"'\]]*)["']?\s*)?\]/y,
    ([name = '', operator, wanted = '']) => ({ weight: 100, test: attributeTest(name, operator, wanted) }),
  ],
  [
    /(:first-child|:last-child|:root)/y,
    ([name = '']) => ({ weight: 100, test: pseudoTests[name] ?? (() => false) }),
  ],
  [
    /:not\(([^()]*)\)/y,
    ([excluded = '']) => {
      const others = parseSelectors(excluded)
      return { weight: 100, test: (element) => !matchesSome(element, others) }
    },
  ],
  [/\*/y, () => ({ weight: 0, test: () => true })],
  [
    /([a-zA-Z][\w-]*)/y,
    ([name = '']) => {
      const wanted = name.toLowerCase()
      return { weight: 1, test: (element) => element.localName.toLowerCase() === wanted }
    },
  ],
]

const combinator = /\s*(>)\s*|\s+/y

function parseSelector(text: string): Selector | undefined {
  const parts: SelectorPart[] = []
  let weight = 0
  let tests: ElementTest[] = []
  let relation: SelectorPart['relation'] = 'self'
  for (let at = 0; at < text.length;) {
    const between = matchAt(combinator, text, at)
    if (between) {
      if (tests.length > 0) parts.push({ relation, tests })
      tests = []
      relation = between[1] === undefined ? 'descendant' : 'child'
    }
    at += between?.[0].length ?? 0
    const found = conditionAt(text, at)
    if (!found) return undefined
    tests.push(found.condition.test)
    weight += found.condition.weight
    at += found.length
  }
  return tests.length === 0 ? undefined : { parts: [...parts, { relation, tests }], weight }
}

function conditionAt(text: string, at: number): { condition: Condition; length: number } | undefined {
  for (const [pattern, read] of conditionKinds) {
    const found = matchAt(pattern, text, at)
    if (found) return { condition: read(found.slice(1)), length: found[0].length }
  }
  return undefined
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const unescaped = (name: string): string => name.replaceAll(/\\(.)/g, '$1')

const pseudoTests: Readonly<Record<string, (element: DrawnElement) => boolean>> = {
  ':first-child': (element) => element.parentElement?.children[0] === element,
  ':last-child': (element) => element.parentElement?.children.at(-1) === element,
  ':root': (element) => !element.parentElement,
}

function attributeTest(name: string, operator: string | undefined, wanted: string) {
  return (element: DrawnElement): boolean => {
    const value = element.getAttribute(name)
    if (value === null) return false
    if (operator === undefined) return true
    return attributeOperators[operator]?.(value, wanted) ?? false
  }
}

const attributeOperators: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  '=': (value, wanted) => value === wanted,
  '^=': (value, wanted) => wanted !== '' && value.startsWith(wanted),
  '$=': (value, wanted) => wanted !== '' && value.endsWith(wanted),
  '*=': (value, wanted) => wanted !== '' && value.includes(wanted),
  '~=': (value, wanted) => value.split(/\s+/).includes(wanted),
  '|=': (value, wanted) => value === wanted || value.startsWith(`${wanted}-`),
}

export const matchesSome = (element: DrawnElement, selectors: readonly Selector[]): boolean =>
  selectors.some((selector) => matchesSelector(element, selector))

/** Matches from the last part to the first, as browsers do. */
export function matchesSelector(element: DrawnElement, { parts }: Selector): boolean {
  return matchesFrom(element, parts, parts.length - 1)
}

function matchesFrom(element: DrawnElement, parts: readonly SelectorPart[], index: number): boolean {
  const part = parts[index]
  if (!part?.tests.every((test) => test(element))) return false
  if (index === 0) return true
  for (let above = element.parentElement; above; above = above.parentElement) {
    if (matchesFrom(above, parts, index - 1)) return true
    if (part.relation === 'child') return false
  }
  return false
}
