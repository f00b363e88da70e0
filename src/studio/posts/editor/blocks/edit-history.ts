/** A text to go back to, and where the caret was in it. */
export interface HistoryEntry {
  text: string
  offset: number
}

const pauseMs = 1000
const maxEntries = 200
/** Letters in all entries together: those of a long text are fewer. */
const maxLetters = 20_000_000

/** The changes that can be undone and redone. Letters that are typed without a pause are one change. */
export class EditHistory {
  private past: HistoryEntry[] = []
  private future: HistoryEntry[] = []
  private last: { kind: string; at: number } | undefined

  /** Notes the text before a change. Changes of one kind in a row are one; '' is a kind of its own each time. */
  record(before: HistoryEntry, kind: string, atMs: number): void {
    const isSame = kind !== '' && this.last?.kind === kind && atMs - this.last.at < pauseMs
    this.last = { kind, at: atMs }
    this.future = []
    if (isSame) return
    this.past.push(before)
    const count = Math.min(maxEntries, Math.ceil(maxLetters / (before.text.length + 1)))
    this.past = this.past.slice(-count)
  }

  undo(current: HistoryEntry): HistoryEntry | undefined {
    return this.step(this.past, this.future, current)
  }

  redo(current: HistoryEntry): HistoryEntry | undefined {
    return this.step(this.future, this.past, current)
  }

  private step(from: HistoryEntry[], to: HistoryEntry[], current: HistoryEntry): HistoryEntry | undefined {
    this.last = undefined
    const entry = from.pop()
    if (entry) to.push(current)
    return entry
  }
}
