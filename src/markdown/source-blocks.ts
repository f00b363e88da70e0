import type { RootContent } from 'mdast'
import { type MarkdownDialect, noReferences, normalizeText } from './parse'
import { type MarkdownPart, splitParts } from './internal/parts'
import { collectReferences, definitionsFor, type MarkdownReferences } from './references'

/** A block of a Markdown text as it is written. */
export interface SourceBlock {
  /** The parser's type of the block; `unparsed` where it was not given to the parser. */
  type: RootContent['type'] | 'unparsed'
  /** The lines of the block, without the end of the last. */
  source: string
  /** The text between the block and the next: the end of its last line, and empty lines. */
  gap: string
}

/** A text in its blocks; one after the other they are the text again, byte by byte. */
export interface SourceBlocks {
  /** Empty lines before the first block. */
  before: string
  blocks: SourceBlock[]
}

/** Lines of a text, counted from 0; `to` is the line after the last. */
interface LineRange {
  type: SourceBlock['type']
  from: number
  to: number
}

/**
 * Splits a text into what the parser finds at its top level. Blocks of the top level consist of whole lines, so they
 * are cut from the text as it is written, whatever the parser makes of line ends and odd characters.
 */
export function splitSourceBlocks(text: string, dialect: MarkdownDialect): SourceBlocks {
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
  const ranges = withRest(disjoint(rangesIn(normalizeText(text), dialect), lines), lines)
  const blocks = ranges.map(({ type, from, to }, index) => {
    const last = lines[to - 1] ?? ''
    const end = last.slice(last.search(/[\r\n]*$/))
    const whole = lines.slice(from, to).join('')
    const until = ranges[index + 1]?.from ?? lines.length
    return {
      type,
      source: end === '' ? whole : whole.slice(0, -end.length),
      gap: end + lines.slice(to, until).join(''),
    }
  })
  return { before: lines.slice(0, ranges[0]?.from ?? lines.length).join(''), blocks }
}

function rangesIn(text: string, dialect: MarkdownDialect): LineRange[] {
  const references = dialect.hasDefinitions ? collectReferences(text) : noReferences
  const ranges: LineRange[] = []
  let line = 0
  for (const part of splitParts(text)) {
    for (const { type, from, to } of rangesInPart(part, references, dialect))
      ranges.push({ type, from: from + line, to: to + line })
    line += lineCount(part.text)
  }
  return ranges
}

function rangesInPart(
  { text, isPlain }: MarkdownPart,
  references: MarkdownReferences,
  dialect: MarkdownDialect,
): LineRange[] {
  if (isPlain) return [{ type: 'unparsed', from: 0, to: lineCount(text) }]
  const before = definitionsFor(text, references)
  const skipped = before === '' ? 0 : lineCount(before) - 1
  return dialect.parse(before + text).children.flatMap(({ type, position }) => {
    if (!position || (position.start.offset ?? 0) < before.length) return []
    const { start, end } = position
    // a block that nothing closes may end at the beginning of the line after it
    const to = end.column === 1 && end.line > start.line ? end.line - 1 : end.line
    return [{ type, from: start.line - 1 - skipped, to: to - skipped }]
  })
}

const lineCount = (text: string): number => text.split('\n').length

/** Ranges that overlap become one, and empty lines at either end belong to none. */
function disjoint(ranges: readonly LineRange[], lines: readonly string[]): LineRange[] {
  const separate: LineRange[] = []
  for (const range of ranges) {
    const last = separate.at(-1)
    const trimmed = withoutBlankEnds(range, lines)
    if (last && trimmed.from < last.to) last.to = Math.max(last.to, trimmed.to)
    else if (trimmed.from < trimmed.to) separate.push(trimmed)
  }
  return separate
}

function withoutBlankEnds({ type, from, to }: LineRange, lines: readonly string[]): LineRange {
  const first = { from, to: Math.min(to, lines.length) }
  while (first.from < first.to && isBlank(lines[first.from])) first.from += 1
  while (first.from < first.to && isBlank(lines[first.to - 1])) first.to -= 1
  return { type, ...first }
}

/** Lines that the parser puts into no block are blocks of their own: nothing of a text is lost. */
function withRest(ranges: readonly LineRange[], lines: readonly string[]): LineRange[] {
  const all: LineRange[] = []
  let line = 0
  for (const range of [...ranges, { type: 'unparsed', from: lines.length, to: lines.length } as const]) {
    const rest = withoutBlankEnds({ type: 'unparsed', from: line, to: range.from }, lines)
    if (rest.from < rest.to) all.push(rest)
    if (range.from < range.to) all.push(range)
    line = range.to
  }
  return all
}

const isBlank = (line = ''): boolean => line.trim() === ''
