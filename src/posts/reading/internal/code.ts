import type { Element, ElementContent } from 'hast'
import type { Code } from 'mdast'
import { highlight, type CodeToken } from '../../internal/highlight'
import { element, text } from './elements'

/** The options after the language: ```ts title="a.ts" {2,4-6} */
interface CodeOptions {
  title: string
  highlightedLines: ReadonlySet<number>
}

export function renderCode({ value, lang, meta }: Pick<Code, 'value' | 'lang' | 'meta'>): Element {
  const options = parseCodeOptions(meta ?? '')
  const language = (lang ?? '').slice(0, 30)
  const name = /^[\w+#.-]+$/.test(language) ? language : undefined
  const codeTokens = highlight(value, language)
  const code = element(
    'code',
    {},
    options.highlightedLines.size > 0
      ? splitLines(codeTokens, options.highlightedLines)
      : codeTokens.map(renderToken),
  )
  // the element scrolls, so it must be focusable by keyboard
  const pre = element('pre', { className: ['code'], dataLanguage: name, tabIndex: 0 }, [code])
  if (!options.title) return pre
  return element('figure', { className: ['code-file'] }, [
    element('figcaption', {}, [text(options.title)]),
    pre,
  ])
}

function parseCodeOptions(meta: string): CodeOptions {
  const [, double, single] = /(?:^|\s)title=(?:"([^"]{0,200})"|'([^']{0,200})')/.exec(meta) ?? []
  const [, lines = ''] = /\{([\d,\s-]{1,200})\}/.exec(meta) ?? []
  return { title: double ?? single ?? '', highlightedLines: new Set(lines.split(',').flatMap(lineRange)) }
}

const maxRange = 5000

function lineRange(written: string): number[] {
  const [, from = '', until = from] = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(written) ?? []
  if (!from) return []
  const length = Math.min(maxRange, Math.max(0, Number(until) - Number(from) + 1))
  return Array.from({ length }, (_, place) => Number(from) + place)
}

function renderToken({ text: words, codeClass }: CodeToken): ElementContent {
  return codeClass ? element('span', { className: [`code-${codeClass}`] }, [text(words)]) : text(words)
}

/** Each line is an element that includes its line break, so that copied text equals the code. */
function splitLines(
  codeTokens: readonly CodeToken[],
  highlightedLines: ReadonlySet<number>,
): ElementContent[] {
  const lines: ElementContent[][] = [[]]
  for (const token of codeTokens) {
    for (const part of token.text.split(/(?<=\n)/)) {
      lines.at(-1)?.push(renderToken({ ...token, text: part }))
      if (part.endsWith('\n')) lines.push([])
    }
  }
  return lines.map((line, place) =>
    element('span', { className: highlightedLines.has(place + 1) ? ['line', 'marked'] : ['line'] }, line),
  )
}
