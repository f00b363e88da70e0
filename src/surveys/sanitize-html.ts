import type { Element, ElementContent, Root, RootContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import rehypeSanitize, { type Options } from 'rehype-sanitize'
import { unified } from 'unified'
import type { PublicContent } from './run/public-survey'
import type { FormattedText, SurveyContent } from './survey'

/** Every element and attribute that a description may hold. */
const allowedElements: Options = {
  tagNames:
    'p br hr b strong i em u s del sub sup small mark code pre blockquote ul ol li a span div h3 h4 h5 h6'.split(
      ' ',
    ),
  attributes: { a: ['href', 'title', ['target', '_blank'], 'rel'], ol: ['start'] },
  protocols: { href: ['https', 'mailto'] },
  clobber: [],
  clobberPrefix: '',
}

const sanitizer = unified().use(rehypeSanitize, allowedElements).freeze()

/**
 * Rebuilds HTML from the allowed elements alone. Browsers may read broken HTML in many ways, so nothing of the source
 * is passed on: text is escaped anew and elements are written anew.
 */
export function sanitizeHtml(html: string): string {
  return toHtml(sanitizedTree(html), { allowDangerousCharacters: false, allowDangerousHtml: false })
}

const sanitizedTree = (html: string): Root => opensSafely(sanitizer.runSync(parseHtml(html)))

/** The content as browsers may draw it, saved or not: `surveyHtml` sanitizes nothing. */
export function sanitizedContent({ translations: _, ...content }: SurveyContent): PublicContent {
  return {
    ...content,
    intro: content.intro && sanitizedTexts(content.intro),
    endCards: content.endCards.map(sanitizedTexts),
    questions: content.questions.map(sanitizedTexts),
  }
}

const sanitizedTexts = <Texts extends { description: FormattedText }>(texts: Texts): Texts => ({
  ...texts,
  description: sanitizedText(texts.description),
})

/** A text of nothing but space is none. */
const sanitizedText = ({ format, text }: FormattedText): FormattedText => ({
  format,
  text: (format === 'html' ? sanitizeHtml(text) : text).trim(),
})

const tokens =
  /<!--[\s\S]*?(?:-->|$)|<![^>]*(?:>|$)|<\?[^>]*(?:>|$)|<(\/?)([a-zA-Z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/g

/** Elements whose contents are no text for a reader. */
const dropped =
  /^(?:script|style|template|iframe|object|noscript|noembed|noframes|xmp|plaintext|title|textarea|svg|math|head|select)$/

const voidElements: ReadonlySet<string> = new Set(['br', 'hr'])

/** The nesting of elements is cut here: deep trees take long to draw. */
const maxDepth = 20

/** Reads tags that are complete; every other `<` is text. */
function parseHtml(html: string): Root {
  const reader = new HtmlReader()
  let end = 0
  for (const { 0: token, 1: closing, 2: name, 3: rest = '', index } of html.matchAll(tokens)) {
    reader.text(html.slice(end, index))
    end = index + token.length
    if (name === undefined) continue
    if (closing) reader.close(name.toLowerCase())
    else reader.open(name.toLowerCase(), rest)
  }
  reader.text(html.slice(end))
  return reader.root
}

/** Builds a tree of what it is given, without elements that hold no text for a reader. */
class HtmlReader {
  readonly root: Root = { type: 'root', children: [] }
  private readonly openElements: Element[] = []
  /** The dropped element that is open. */
  private droppedTag: string | undefined

  text(source: string): void {
    if (this.droppedTag === undefined && source !== '') this.append({ type: 'text', value: decode(source) })
  }

  open(tag: string, attributes: string): void {
    if (this.droppedTag !== undefined) return
    if (dropped.test(tag)) {
      this.droppedTag = tag
      return
    }
    const element: Element = {
      type: 'element',
      tagName: tag,
      properties: attributesIn(attributes),
      children: [],
    }
    this.append(element)
    if (!voidElements.has(tag) && this.openElements.length < maxDepth) this.openElements.push(element)
  }

  close(tag: string): void {
    if (this.droppedTag !== undefined) {
      if (tag === this.droppedTag) this.droppedTag = undefined
      return
    }
    const index = this.openElements.findLastIndex(({ tagName }) => tagName === tag)
    if (index >= 0) this.openElements.length = index
  }

  private append(node: ElementContent): void {
    const parent = this.openElements.at(-1) ?? this.root
    parent.children.push(node)
  }
}

const attribute = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

function attributesIn(source: string): Record<string, string> {
  const entries = Array.from(source.matchAll(attribute), ([, name = '', double, single, bare]) => [
    name.toLowerCase(),
    decode(double ?? single ?? bare ?? ''),
  ])
  return Object.fromEntries(entries) as Record<string, string> // pairs of texts, as the line above makes them
}

const namedCharacters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u{A0}',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  colon: ':',
  tab: '\t',
  newline: '\n',
}

const references = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));?/g

const decode = (source: string): string =>
  source.replaceAll(references, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return namedCharacters[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff)
    return isCharacter ? String.fromCodePoint(code) : ''
  })

/** A link opens a new page, which cannot reach back to the page with the survey. */
function opensSafely(tree: Root): Root {
  const visit = (node: Root | RootContent): void => {
    if (node.type === 'element' && node.tagName === 'a' && node.properties['href'])
      node.properties = { ...node.properties, target: '_blank', rel: ['noopener', 'noreferrer'] }
    if (node.type === 'root' || node.type === 'element')
      for (const child of node.children) if (child.type !== 'doctype') visit(child)
  }
  visit(tree)
  return tree
}
