import { adjectives, nouns } from './words'

/** A sign of a person that stays the same: which of a number of shapes, in which of a number of colours. */
export interface PersonMark {
  shape: number
  colour: number
}

export const markShapes = 12
export const markColours = 8

/**
 * The part of an id, in hexadecimal digits, that decides each part of a name. Ids are hashes, so their digits are evenly
 * distributed and independent. The engine reads the same digits (`coinedAs` in insights).
 */
export const nameDigits = {
  adjective: { from: 0, to: 8 },
  noun: { from: 28, to: 36 },
  mark: { from: 24, to: 28 },
} as const

/**
 * Returns the name of a person who has not told one, such as "Quiet Heron". The same id has the same name everywhere and at
 * any time. Two persons may have the same one: ids tell them apart.
 */
export function coinedName(nameId: string): string {
  const adjective = adjectives[indexIn(nameId, 'adjective', adjectives.length)] ?? ''
  const noun = nouns[indexIn(nameId, 'noun', nouns.length)] ?? ''
  return `${capitalized(adjective)} ${capitalized(noun)}`
}

export function markOf(nameId: string): PersonMark {
  const index = indexIn(nameId, 'mark', markShapes * markColours)
  return { shape: index % markShapes, colour: Math.floor(index / markShapes) }
}

function indexIn(nameId: string, part: keyof typeof nameDigits, count: number): number {
  const { from, to } = nameDigits[part]
  return Number.parseInt(nameId.slice(from, to), 16) % count
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The coined names with a word that begins with a text: those with one of the adjectives, one of the nouns, or one of each. */
export interface CoinedNameMatch {
  adjectives: readonly number[]
  nouns: readonly number[]
  /** Whether a name needs an adjective and a noun of these, because the text has both. */
  isPair: boolean
}

/** Finds the words of the coined names that a text in any case is, or begins: "quiet", "her" and "quiet her". */
export function coinedNamesWith(text: string): CoinedNameMatch {
  const [first = '', second, ...more] = text.toLowerCase().split(' ')
  if (more.length > 0) return { adjectives: [], nouns: [], isPair: true }
  if (second === undefined)
    return {
      adjectives: indexesOf(adjectives, (word) => word.startsWith(first)),
      nouns: indexesOf(nouns, (word) => word.startsWith(first)),
      isPair: false,
    }
  return {
    adjectives: indexesOf(adjectives, (word) => word === first),
    nouns: indexesOf(nouns, (word) => word.startsWith(second)),
    isPair: true,
  }
}

const indexesOf = (words: readonly string[], isWanted: (word: string) => boolean): number[] =>
  words.flatMap((word, index) => (isWanted(word) ? [index] : []))
