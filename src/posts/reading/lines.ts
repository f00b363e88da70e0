/** A line of Markdown, and what it stands in as far as it matters for taking a text apart. */
export interface Line {
  text: string
  isBlank: boolean
  /** Nothing before it reaches into it: what begins here reads the same as if it stood alone. */
  beginsAnew: boolean
  /** It begins an entry of the list that it stands in, so that a very long list may be continued from here. */
  beginsEntry: boolean
  /** Its letters mean nothing but themselves. */
  isCode: boolean
}

interface Fence {
  mark: string
  size: number
}

/**
 * Goes through a text by its lines and knows, as the parser would, whether a code fence, a block or a list is open.
 * A list that seems open and is not only keeps a text together; the other way round it would be torn.
 */
export function* linesOf(text: string): Generator<Line> {
  const place = new Place()
  for (const line of text.split('\n')) yield place.next(line)
}

class Place {
  private fence: Fence | undefined
  /** How many colons close the block. */
  private block = 0
  /** How far the words of a list's entry, or those of a footnote, are indented; 0 outside of any. */
  private indented = 0
  private before = ''

  next(text: string): Line {
    const isBlank = text.trim() === ''
    const line = {
      text,
      isBlank,
      beginsAnew: false,
      beginsEntry: false,
      isCode: false,
      ...this.read(text, isBlank),
    }
    this.before = text
    return line
  }

  private read(text: string, isBlank: boolean): Partial<Line> {
    if (this.block > 0) return this.inBlock(text)
    if (isBlank) return { isCode: this.fence !== undefined }
    const beginsEntry = this.inList(text)
    if (this.fence) return this.inFence(text)
    const isIndented = indentOf(text) > 3 && this.indented === 0
    const beginsAnew = isBlankLine(this.before) && this.indented === 0 && !isIndented
    this.open(text, isIndented)
    return { beginsAnew, beginsEntry }
  }

  private inBlock(text: string): Partial<Line> {
    const [, colons = ''] = /^ {0,3}(:{3,})[ \t]*$/.exec(text) ?? []
    if (colons.length >= this.block) this.block = 0
    return {}
  }

  private inFence(text: string): Partial<Line> {
    const { mark, size } = this.fence ?? { mark: '', size: 0 }
    const [, closing = ''] = /^\s*(`{3,}|~{3,})[ \t]*$/.exec(text) ?? []
    if (closing.startsWith(mark) && closing.length >= size) this.fence = undefined
    return { isCode: true }
  }

  /** Whether this is a further entry of the list. Less indented than its words, a line may as well end it. */
  private inList(text: string): boolean {
    if (this.indented === 0 || indentOf(text) >= this.indented) return false
    const hadFence = this.fence !== undefined
    this.fence = undefined
    const entry = entryOf(text)
    if (entry > 0) {
      this.indented = entry
      return true
    }
    if (hadFence || isBlankLine(this.before) || /^ {0,3}(?:`{3}|~{3}|:{3}|#)/.test(text)) this.indented = 0
    return false
  }

  private open(text: string, isIndented: boolean): void {
    if (isIndented) return
    const [, fence, info = ''] = /^(?:\s*(?:[-*+]|\d{1,9}[.)])\s)*\s*(`{3,}|~{3,})(.*)$/.exec(text) ?? []
    const [, colons = ''] = /^ {0,3}(:{3,})[a-z]/i.exec(text) ?? []
    if (this.indented === 0) this.indented = this.entryBeginning(text)
    if (fence && !(fence.startsWith('`') && info.includes('`')))
      this.fence = { mark: fence.charAt(0), size: fence.length }
    else if (this.indented === 0) this.block = colons.length
  }

  /** Only the number 1 may begin a list in the middle of a paragraph. */
  private entryBeginning(text: string): number {
    const isAfterWords = !isBlankLine(this.before) && !this.before.startsWith('#')
    return isAfterWords && /^\s*(?!1[.)])\d/.test(text) ? 0 : entryOf(text)
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

/** How far the words of an entry are indented that this line begins; 0 where it begins none. */
function entryOf(text: string): number {
  if (/^ {0,3}\[\^[^\]]+\]:/.test(text)) return 4
  const [all = '', marker = '', space = ''] = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))([ \t]+|$)/.exec(text) ?? []
  if (!all) return 0
  return marker.length + (space.length > 4 || space === '' || space.includes('\t') ? 1 : space.length)
}
