import { failedOutcome, type ParsedInput } from '#projects/problems'

/**
 * The elements chain of autocapture lists the clicked element and then its ancestors, each as
 * `tag.class:key="value"key="value"` with `;` between them. A value may hold `;`, and `"` as `\"`
 * (posthog-js 1.434.18, `getElementsChainString`).
 */
const chain = {
  /** The characters of a value, in which a quote is escaped. */
  value: String.raw`(?:\\.|[^"\\])*`,
  /** A whole element. */
  element: String.raw`(?:[^;"]|"(?:\\.|[^"\\])*")*`,
  /** The part of the chain before an attribute of the same element. */
  beforeAttribute: String.raw`[^";]*:(?:[^=";]+="(?:\\.|[^"\\])*")*`,
}

const anyElements = `(?:${chain.element};)*`

const identifier = String.raw`-?(?:[A-Za-z_\u{80}-\u{10ffff}]|\\.)(?:[\w\u{80}-\u{10ffff}-]|\\.)*`
const simpleSelector = new RegExp(
  [
    String.raw`(?<any>\*)`,
    String.raw`(?<tag>${identifier})`,
    String.raw`#(?<id>${identifier})`,
    String.raw`\.(?<class>${identifier})`,
    String.raw`\[\s*(?<attribute>[\w:.@-]+)\s*(?:(?<match>[~^$*]?=)\s*(?:"(?<double>(?:\\.|[^"\\])*)"|'(?<single>(?:\\.|[^'\\])*)'|(?<bare>${identifier}))\s*)?\]`,
    String.raw`:(?<position>nth-child|nth-of-type)\(\s*(?<number>\d+)\s*\)`,
    String.raw`:(?<first>first-child|first-of-type)`,
  ].join('|'),
  'uy',
)
const combinator = /\s*(?<child>>)\s*|\s+/uy
const comma = /\s*,\s*/uy

const mostCharacters = 500

/** Compiles a CSS selector to a regular expression over an elements chain, or says why it cannot be compiled. */
export function selectorRegex(selector: string): ParsedInput<string> {
  if (selector.length > mostCharacters)
    return failedOutcome(`The selector is longer than ${mostCharacters} characters. Name a class or an id.`)
  const reader = new SelectorReader(selector.trim())
  const alternatives = reader.list()
  return alternatives
    ? { done: true, value: `^${anyElements}(?:${alternatives.join('|')})` }
    : failedOutcome(
        `The selector “${selector}” cannot be recognised in autocaptured events. Use tags, ids, classes, attributes, :nth-child(2), “>” and spaces.`,
      )
}

class SelectorReader {
  private at = 0

  constructor(private readonly selector: string) {}

  /** The alternatives of a whole selector; undefined where a part of it is not known. */
  list(): string[] | undefined {
    const alternatives: string[] = []
    do {
      const alternative = this.complex()
      if (alternative === undefined) return undefined
      alternatives.push(alternative)
    } while (this.take(comma))
    return this.at === this.selector.length ? alternatives : undefined
  }

  /** The chain goes upwards, so the elements of a selector are turned round. */
  private complex(): string | undefined {
    const last = this.compound()
    if (last === undefined) return undefined
    let regex = last
    for (;;) {
      if (this.at === this.selector.length || this.isAtComma()) return regex
      const combination = this.take(combinator)
      const next = combination && this.compound()
      if (next === undefined) return undefined
      const between = combination?.groups?.['child'] === undefined ? `;${anyElements}` : ';'
      regex = `${next}${between}${regex}`
    }
  }

  private compound(): string | undefined {
    const tests: string[] = []
    for (;;) {
      const simple = this.take(simpleSelector)?.groups
      if (!simple) break
      if (simple['tag'] !== undefined && tests.length > 0) return undefined
      tests.push(testOf(simple))
    }
    return tests.length === 0 ? undefined : `${tests.join('')}${chain.element}`
  }

  private take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.selector)
    if (!found) return undefined
    this.at = pattern.lastIndex
    return found
  }

  private isAtComma(): boolean {
    comma.lastIndex = this.at
    return comma.test(this.selector)
  }
}

function testOf(simple: Readonly<Record<string, string | undefined>>): string {
  if (simple['any'] !== undefined) return ''
  if (simple['tag'] !== undefined) return `(?=${literal(simple['tag'].toLowerCase())}[.:])`
  if (simple['class'] !== undefined) return String.raw`(?=[^";]*\.${literal(simple['class'])}[.:])`
  if (simple['id'] !== undefined) return attributeTest('attr__id', literal(simple['id']))
  if (simple['first'] !== undefined) return attributeTest(simple['first'].replace('first', 'nth'), '1')
  if (simple['position'] !== undefined) return attributeTest(simple['position'], simple['number'] ?? '')
  return attributeTest(`attr__${simple['attribute'] ?? ''}`, valueTest(simple))
}

function valueTest({ match, double, single, bare }: Readonly<Record<string, string | undefined>>): string {
  const text = literal(double ?? single ?? bare ?? '')
  const { value } = chain
  switch (match) {
    case undefined:
      return value
    case '^=':
      return `${text}${value}`
    case '$=':
      return `${value}${text}`
    case '*=':
      return `${value}${text}${value}`
    case '~=':
      return `(?:${value} )?${text}(?: ${value})?`
    default:
      return text
  }
}

const attributeTest = (key: string, value: string): string =>
  `(?=${chain.beforeAttribute}${escapeRegex(key)}="${value}")`

/** The text of a CSS identifier or string, as the chain holds it. */
const literal = (css: string): string =>
  escapeRegex(css.replaceAll(/\\(.)/gu, '$1')).replaceAll('"', String.raw`\\"`)

const escapeRegex = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
