/** How people write the ends of the period, and how the engine takes them. */
const ends = { from: '{from:DateTime64}', until: '{until:DateTime64}' } as const

const places = /\{\{\s*(from|until)\s*\}\}/g

export const namesPeriod = (text: string): boolean => text.search(places) >= 0

/** With the places of a period as the engine takes them. They are in it as parameters: no value is put into the text. */
export const statementIn = (text: string): string =>
  text.replace(places, (_, end: string) => (end === 'from' ? ends.from : ends.until))

/** Where something in the statement stands in what people wrote. */
export function placeInText(text: string, at: number): number {
  let shift = 0
  for (const { 0: written, 1: end, index } of text.matchAll(places)) {
    const put = end === 'from' ? ends.from : ends.until
    if (index + shift + put.length > at) break
    shift += put.length - written.length
  }
  return at - shift
}

export interface TextPosition {
  line: number
  column: number
}

export function positionOf(text: string, at: number): TextPosition {
  const before = text.slice(0, Math.max(0, at)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
