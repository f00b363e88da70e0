/** The period's ends as users write them, and as engine parameters. */
const ends = { from: '{from:DateTime64}', until: '{until:DateTime64}' } as const

const places = /\{\{\s*(from|until)\s*\}\}/g

export const namesPeriod = (text: string): boolean => text.search(places) >= 0

/** Replaces the period's ends by engine parameters: no value becomes part of the text. */
export const statementIn = (text: string): string =>
  text.replace(places, (_, end: string) => (end === 'from' ? ends.from : ends.until))

/** Converts an index in the statement to the index in the user's text. */
export function placeInText(text: string, at: number): number {
  let shift = 0
  for (const { 0: written, 1: end, index } of text.matchAll(places)) {
    const put = end === 'from' ? ends.from : ends.until
    if (index + shift + put.length > at) break
    shift += put.length - written.length
  }
  return at - shift
}

interface TextPosition {
  line: number
  column: number
}

export function positionOf(text: string, at: number): TextPosition {
  const before = text.slice(0, Math.max(0, at)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
