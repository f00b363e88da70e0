import { type MarkdownLine, linesOf } from './lines'

/** A piece of a text that reads the same alone as among the others, apart from names that are explained elsewhere. */
export interface MarkdownPart {
  text: string
  /** Generated text that would take the parser too long; it is shown unparsed. */
  isPlain: boolean
}

/**
 * The parser takes four times as long for a text of twice the length, hence pieces of some pages. What it would choke
 * on is found before, by counting: thousands of brackets in one paragraph, quotes in quotes in quotes.
 */
export function splitParts(text: string): MarkdownPart[] {
  const parts: MarkdownPart[] = []
  for (const { lines, isPlain } of splitDrafts(text)) {
    const last = parts.at(-1)
    const piece = lines.join('\n')
    if (!last || isPlain || last.isPlain || last.text.length > targetLength)
      parts.push({ text: piece, isPlain })
    else last.text += `\n${piece}`
  }
  return parts
}

const targetLength = 4000
const maxListLength = 20_000

interface PartDraft {
  lines: string[]
  length: number
  isPlain: boolean
}

function splitDrafts(text: string): PartDraft[] {
  const pieces: PartDraft[] = []
  const budget = new ParsingBudget()
  let piece: PartDraft | undefined
  for (const line of linesOf(text)) {
    const isLong = piece !== undefined && piece.length > maxListLength
    if (!piece || line.startsBlock || (isLong && line.startsListEntry)) {
      piece = { lines: [], length: 0, isPlain: false }
      pieces.push(piece)
    }
    piece.lines.push(line.text)
    piece.length += line.text.length + 1
    if (!budget.accepts(line)) piece.isPlain = true
  }
  return pieces
}

/** The most marks of one paragraph. Three hundred links have as many. */
const maxMarks = 1500
const maxLines = 1000
const maxDepth = 20
const maxIndent = 100
/** Marks times letters, over all paragraphs: what the parser might have to look at again and again. */
const maxWork = 100_000_000

/** Estimates the parsing work of the paragraphs so far. */
class ParsingBudget {
  private work = 0
  private marks = 0
  private letters = 0
  private lines = 0

  accepts(line: MarkdownLine): boolean {
    if (line.isCode) return true
    if (line.isBlank || beginsSomething.test(line.text)) this.endParagraph()
    this.lines += 1
    this.marks += countMarks(line.text)
    this.letters += line.text.length
    return this.lines <= maxLines && this.isWithinBudget() && isShallow(line.text)
  }

  private endParagraph(): void {
    // text that is not read costs nothing
    if (this.isWithinBudget()) this.work += this.marks * this.letters
    this.marks = 0
    this.letters = 0
    this.lines = 0
  }

  private isWithinBudget(): boolean {
    return this.marks <= maxMarks && this.work + this.marks * this.letters <= maxWork
  }
}

/** A row of a table, an entry of a list: its words are read for themselves. */
const beginsSomething = /^[\s>]*(?:$|[|#]|[-*+]\s|\d{1,9}[.)]\s)/

function countMarks(text: string): number {
  let marks = 0
  for (const letter of text) if (markCharacters.has(letter)) marks += 1
  return marks
}

const markCharacters = new Set('[]*_~`<!:{(')

function isShallow(text: string): boolean {
  const indent = text.search(/[^ \t]/)
  if (indent > maxIndent && /^\s*(?:[>*+-]|\d{1,9}[.)])/.test(text)) return false
  const [opening = ''] = /^[ \t>*+\d.)-]*/.exec(text) ?? []
  return (opening.match(/>|[-*+][ \t]|\d[.)]/g) ?? []).length <= maxDepth
}
