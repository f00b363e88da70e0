/**
 * The score of a text for the typed words, from 0 (no match) to 100 (the same). Every typed word has to fit a part of the
 * text: its beginning, the beginning of a word, any part of it, letters left out, or one letter mistyped.
 */
export function fuzzyScore(typed: string, text: string): number {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return 0
  const searched = plain(text)
  if (searched === words.join(' ')) return exactly
  const scores = words.map((word) => wordScore(word, searched))
  return Math.min(...scores)
}

/** Without capitals and accents. */
const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()

/** The score of the same words. */
export const exactly = 100

/** From here on every word was typed as it is written. */
export const exactPart = 60

function wordScore(word: string, text: string): number {
  if (text.startsWith(word)) return 90
  const parts = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  if (parts.some((part) => part.startsWith(word))) return 80
  if (text.includes(word)) return exactPart
  if (parts.some((part) => hasLettersLeftOut(word, part))) return 40
  if (parts.some((part) => isMistyped(word, part))) return 30
  return 0
}

/** Shorter words fit too many others when letters may be missing. */
const shortestFuzzy = 4

/** "onbord" for "onboarding": the same first letter, the letters in order, and at most two left out between them. */
function hasLettersLeftOut(word: string, part: string): boolean {
  if (word.length < shortestFuzzy || word[0] !== part[0]) return false
  let end = 0
  for (const letter of word) {
    const found = part.indexOf(letter, end)
    if (found < 0) return false
    end = found + 1
  }
  return end - word.length <= 2
}

/** One letter wrong, too many, missing or swapped with its neighbour, against the beginning of a word. */
function isMistyped(word: string, part: string): boolean {
  if (word.length < shortestFuzzy) return false
  return [-1, 0, 1].some((more) => {
    const beginning = part.slice(0, word.length + more)
    return beginning.length === word.length + more && isOneEditApart(word, beginning)
  })
}

function isOneEditApart(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [rest, otherRest] = [one.slice(start), other.slice(start)]
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0])
  )
}
