/** A line of Markdown, and what it stands in as far as it matters for taking a text apart. */
export interface MarkdownLine {
  text: string
  isBlank: boolean
  /** No earlier line reaches into it: a text that begins here reads the same as if it stood alone. */
  startsBlock: boolean
  /** The line begins an entry of the list that it stands in, so that a very long list may be continued from here. */
  startsListEntry: boolean
  /** The characters of the line have no meaning in Markdown. */
  isCode: boolean
}

interface CodeFence {
  mark: string
  size: number
}

/**
 * Goes through a text line by line and tracks, as the parser would, whether a code fence, a block or a list is open.
 * A list wrongly taken for open only keeps text together; the opposite mistake would split it.
 */
export function* linesOf(text: string): Generator<MarkdownLine> {
  const parser = new LineParser()
  for (const line of text.split('\n')) yield parser.next(line)
}

class LineParser {
  private fence: CodeFence | undefined
  /** The number of colons that close the block. */
  private blockDepth = 0
  /** The indentation of the text in a list's entry or a footnote; 0 outside of any. */
  private listIndent = 0
  private before = ''

  next(text: string): MarkdownLine {
    const isBlank = text.trim() === ''
    const line = {
      text,
      isBlank,
      startsBlock: false,
      startsListEntry: false,
      isCode: false,
      ...this.read(text, isBlank),
    }
    this.before = text
    return line
  }

  private read(text: string, isBlank: boolean): Partial<MarkdownLine> {
    if (this.blockDepth > 0) return this.inBlock(text)
    if (isBlank) return { isCode: this.fence !== undefined }
    const beginsEntry = this.inList(text)
    if (this.fence) return this.inFence(text)
    const isIndented = indentOf(text) > 3 && this.listIndent === 0
    const beginsAnew = isBlankLine(this.before) && this.listIndent === 0 && !isIndented
    this.open(text, isIndented)
    return { startsBlock: beginsAnew, startsListEntry: beginsEntry }
  }

  private inBlock(text: string): Partial<MarkdownLine> {
    const [, colons = ''] = /^ {0,3}(:{3,})[ \t]*$/.exec(text) ?? []
    if (colons.length >= this.blockDepth) this.blockDepth = 0
    return {}
  }

  private inFence(text: string): Partial<MarkdownLine> {
    const { mark, size } = this.fence ?? { mark: '', size: 0 }
    const [, closing = ''] = /^\s*(`{3,}|~{3,})[ \t]*$/.exec(text) ?? []
    if (closing.startsWith(mark) && closing.length >= size) this.fence = undefined
    return { isCode: true }
  }

  /** Whether this is a further entry of the list. Less indented than its words, a line may as well end it. */
  private inList(text: string): boolean {
    if (this.listIndent === 0 || indentOf(text) >= this.listIndent) return false
    const hadFence = this.fence !== undefined
    this.fence = undefined
    const entry = listEntryIndent(text)
    if (entry > 0) {
      this.listIndent = entry
      return true
    }
    if (hadFence || isBlankLine(this.before) || /^ {0,3}(?:`{3}|~{3}|:{3}|#)/.test(text)) this.listIndent = 0
    return false
  }

  private open(text: string, isIndented: boolean): void {
    if (isIndented) return
    const [, fence, info = ''] = /^(?:\s*(?:[-*+]|\d{1,9}[.)])\s)*\s*(`{3,}|~{3,})(.*)$/.exec(text) ?? []
    const [, colons = ''] = /^ {0,3}(:{3,})[a-z]/i.exec(text) ?? []
    if (this.listIndent === 0) this.listIndent = this.entryBeginning(text)
    if (fence && !(fence.startsWith('`') && info.includes('`')))
      this.fence = { mark: fence.charAt(0), size: fence.length }
    else if (this.listIndent === 0) this.blockDepth = colons.length
  }

  /** Only the number 1 may begin a list in the middle of a paragraph. */
  private entryBeginning(text: string): number {
    const isAfterWords = !isBlankLine(this.before) && !this.before.startsWith('#')
    return isAfterWords && /^\s*(?!1[.)])\d/.test(text) ? 0 : listEntryIndent(text)
  }
}

const isBlankLine = (text: string): boolean => text.trim() === ''

function indentOf(text: string): number {
  let columns = 0
  for (const letter of text) {
    if (letter === ' ') columns += 1
    else if (letter === '\t') columns += 4 - (columns % 4)
    else break
  }
  return columns
}

/** Returns the indentation of the text in the entry that this line begins; 0 where it begins none. */
function listEntryIndent(text: string): number {
  if (/^ {0,3}\[\^[^\]]+\]:/.test(text)) return 4
  const [all = '', marker = '', space = ''] = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))([ \t]+|$)/.exec(text) ?? []
  if (!all) return 0
  return marker.length + (space.length > 4 || space === '' || space.includes('\t') ? 1 : space.length)
}
