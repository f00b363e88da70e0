import { diffLines, diffWordsWithSpace } from 'diff'

/** A piece of text that is unchanged, added or removed. */
interface DiffPiece {
  state: 'same' | 'added' | 'removed'
  text: string
}

/** A line, unchanged or changed. If a few words of it changed, `pieces` marks them. */
export interface DiffLine extends DiffPiece {
  pieces: readonly DiffPiece[] | undefined
}

/** Comparing two unrelated texts of a megabyte would take minutes; after this time everything counts as replaced. */
const diffOptions = { timeout: 1000 }
const maxLineMatched = 20_000

interface WordChange {
  value: string
  added: boolean
  removed: boolean
}

/** Compares line by line, and changed lines word by word. */
export function differenceBetween(before: string, after: string): DiffLine[] {
  const changes = diffLines(before, after, diffOptions)?.map(pieceOf) ?? replaced(before, after)
  return changes.map((change, place) => ({ ...change, pieces: wordDiffOf(change, place, changes) }))
}

const pieceOf = ({ value, added, removed }: WordChange): DiffPiece => ({
  state: added ? 'added' : removed ? 'removed' : 'same',
  text: value,
})

const replaced = (before: string, after: string): DiffPiece[] =>
  [
    { state: 'removed' as const, text: before },
    { state: 'added' as const, text: after },
  ].filter(({ text }) => text !== '')

/** Compares a removed line with the line added in its place. */
function wordDiffOf(change: DiffPiece, place: number, all: readonly DiffPiece[]): DiffPiece[] | undefined {
  const [before, after] = change.state === 'removed' ? [change, all[place + 1]] : [all[place - 1], change]
  if (before?.state !== 'removed' || after?.state !== 'added') return undefined
  if (before.text.length + after.text.length > maxLineMatched) return undefined
  const words = diffWordsWithSpace(before.text, after.text, diffOptions)?.map(pieceOf)
  return words?.filter(({ state }) => state === 'same' || state === change.state)
}
