import { diffLines, diffWordsWithSpace } from 'diff'

/** A piece of a text that stayed, came or went. */
export interface Piece {
  state: 'same' | 'added' | 'removed'
  text: string
}

/** Lines that stayed or changed. Where a few words of a line changed, `pieces` says which. */
export interface LineChange extends Piece {
  pieces: readonly Piece[] | undefined
}

/** Two texts of a megabyte with nothing in common would take minutes; then all of one is exchanged for all of the other. */
const patience = { timeout: 1000 }
const longestLineMatched = 20_000

interface Changed {
  value: string
  added: boolean
  removed: boolean
}

/** Line by line, and within lines that were changed word by word. */
export function differenceBetween(before: string, after: string): LineChange[] {
  const changes = diffLines(before, after, patience)?.map(pieceOf) ?? exchanged(before, after)
  return changes.map((change, place) => ({ ...change, pieces: wordsOf(change, place, changes) }))
}

const pieceOf = ({ value, added, removed }: Changed): Piece => ({
  state: added ? 'added' : removed ? 'removed' : 'same',
  text: value,
})

const exchanged = (before: string, after: string): Piece[] =>
  [
    { state: 'removed' as const, text: before },
    { state: 'added' as const, text: after },
  ].filter(({ text }) => text !== '')

/** What went and what came in its place are looked at together. */
function wordsOf(change: Piece, place: number, all: readonly Piece[]): Piece[] | undefined {
  const [before, after] = change.state === 'removed' ? [change, all[place + 1]] : [all[place - 1], change]
  if (before?.state !== 'removed' || after?.state !== 'added') return undefined
  if (before.text.length + after.text.length > longestLineMatched) return undefined
  const words = diffWordsWithSpace(before.text, after.text, patience)?.map(pieceOf)
  return words?.filter(({ state }) => state === 'same' || state === change.state)
}
