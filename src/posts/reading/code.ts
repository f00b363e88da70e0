import type { Element, ElementContent } from 'hast'
import type { Code } from 'mdast'
import { diagramAddress, isDiagram } from '../diagrams'
import { highlight, type Piece } from '../highlight'
import { element, text } from './elements'

/** What may stand behind the language: ```ts title="a.ts" {2,4-6} */
interface Notes {
  title: string
  marked: ReadonlySet<number>
}

export function drawCode({ value, lang, meta }: Pick<Code, 'value' | 'lang' | 'meta'>): Element {
  const notes = notesIn(meta ?? '')
  const language = (lang ?? '').slice(0, 30)
  if (isDiagram(language)) return drawnAsImage(value, language, notes)
  const name = /^[\w+#.-]+$/.test(language) ? language : undefined
  const pieces = highlight(value, language)
  const code = element(
    'code',
    {},
    notes.marked.size > 0 ? inLines(pieces, notes.marked) : pieces.map(drawPiece),
  )
  // it scrolls, and so has to be reached by keys
  const pre = element('pre', { className: ['code'], dataLanguage: name, tabIndex: 0 }, [code])
  if (!notes.title) return pre
  return element('figure', { className: ['code-file'] }, [
    element('figcaption', {}, [text(notes.title)]),
    pre,
  ])
}

function notesIn(meta: string): Notes {
  const [, double, single] = /(?:^|\s)title=(?:"([^"]{0,200})"|'([^']{0,200})')/.exec(meta) ?? []
  const [, lines = ''] = /\{([\d,\s-]{1,200})\}/.exec(meta) ?? []
  return { title: double ?? single ?? '', marked: new Set(lines.split(',').flatMap(rangeOf)) }
}

const longestRange = 5000

function rangeOf(written: string): number[] {
  const [, from = '', until = from] = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(written) ?? []
  if (!from) return []
  const length = Math.min(longestRange, Math.max(0, Number(until) - Number(from) + 1))
  return Array.from({ length }, (_, place) => Number(from) + place)
}

function drawPiece({ text: words, is }: Piece): ElementContent {
  return is ? element('span', { className: [`code-${is}`] }, [text(words)]) : text(words)
}

/** Each line a block of its own, its end included, so that what is copied is the code. */
function inLines(pieces: readonly Piece[], marked: ReadonlySet<number>): ElementContent[] {
  const lines: ElementContent[][] = [[]]
  for (const { text: words, is } of pieces) {
    for (const part of words.split(/(?<=\n)/)) {
      lines.at(-1)?.push(drawPiece({ text: part, is }))
      if (part.endsWith('\n')) lines.push([])
    }
  }
  return lines.map((line, place) =>
    element('span', { className: marked.has(place + 1) ? ['line', 'marked'] : ['line'] }, line),
  )
}

const longestAlt = 1000

function drawnAsImage(code: string, language: string, { title }: Notes): Element {
  const alt = (title || code.replaceAll(/\s+/g, ' ')).trim().slice(0, longestAlt)
  const picture = element('img', {
    src: diagramAddress(code, language),
    alt,
    loading: 'lazy',
    decoding: 'async',
  })
  const caption = title ? [element('figcaption', {}, [text(title)])] : []
  return element('figure', { className: ['diagram'] }, [picture, ...caption])
}
