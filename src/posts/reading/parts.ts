import { type Line, linesOf } from './lines'

/** A piece of a text that reads the same alone as among the others, apart from names that are explained elsewhere. */
export interface Part {
  text: string
  /** Nobody wrote this by hand: it would take the parser forever, and is shown as it stands. */
  isPlain: boolean
}

/**
 * The parser takes four times as long for a text of twice the length, hence pieces of some pages. What it would choke
 * on is found before, by counting: thousands of brackets in one paragraph, quotes in quotes in quotes.
 */
export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  for (const { lines, isPlain } of piecesOf(text)) {
    const last = parts.at(-1)
    const piece = lines.join('\n')
    if (!last || isPlain || last.isPlain || last.text.length > usualLength)
      parts.push({ text: piece, isPlain })
    else last.text += `\n${piece}`
  }
  return parts
}

const usualLength = 4000
const longestList = 20_000

interface Piece {
  lines: string[]
  length: number
  isPlain: boolean
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  const patience = new Patience()
  let piece: Piece | undefined
  for (const line of linesOf(text)) {
    const isLong = piece !== undefined && piece.length > longestList
    if (!piece || line.beginsAnew || (isLong && line.beginsEntry)) {
      piece = { lines: [], length: 0, isPlain: false }
      pieces.push(piece)
    }
    piece.lines.push(line.text)
    piece.length += line.text.length + 1
    if (!patience.bears(line)) piece.isPlain = true
  }
  return pieces
}

/** In one paragraph. Three hundred links have as many. */
const mostMarks = 1500
const mostLines = 1000
const deepest = 20
const widestIndent = 100
/** Marks times letters, over all paragraphs: what the parser might have to look at again and again. */
const mostWork = 100_000_000

/** Knows how much work the paragraphs so far can have been. */
class Patience {
  private work = 0
  private marks = 0
  private letters = 0
  private lines = 0

  bears(line: Line): boolean {
    if (line.isCode) return true
    if (line.isBlank || beginsSomething.test(line.text)) this.rest()
    this.lines += 1
    this.marks += countMarks(line.text)
    this.letters += line.text.length
    return this.lines <= mostLines && this.isBearable() && isShallow(line.text)
  }

  private rest(): void {
    // what is not read costs nothing
    if (this.isBearable()) this.work += this.marks * this.letters
    this.marks = 0
    this.letters = 0
    this.lines = 0
  }

  private isBearable(): boolean {
    return this.marks <= mostMarks && this.work + this.marks * this.letters <= mostWork
  }
}

/** A row of a table, an entry of a list: its words are read for themselves. */
const beginsSomething = /^[\s>]*(?:$|[|#]|[-*+]\s|\d{1,9}[.)]\s)/

function countMarks(text: string): number {
  let marks = 0
  for (const letter of text) if (meaningful.has(letter)) marks += 1
  return marks
}

const meaningful = new Set('[]*_~`<!:{(')

function isShallow(text: string): boolean {
  const indent = text.search(/[^ \t]/)
  if (indent > widestIndent && /^\s*(?:[>*+-]|\d{1,9}[.)])/.test(text)) return false
  const [opening = ''] = /^[ \t>*+\d.)-]*/.exec(text) ?? []
  return (opening.match(/>|[-*+][ \t]|\d[.)]/g) ?? []).length <= deepest
}
