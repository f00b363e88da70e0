import { leastBytes } from '../leading-fields'

/**
 * The members of a name that are looked at from either end. A key stands before the events or behind them all, or every
 * event has it; other texts may have the same name.
 */
const mostOfEach = 8

/** The texts of members with these names at either end of JSON that is not parsed yet, which is faster than to parse it. */
export function* textsUnder(names: readonly string[], json: Uint8Array): Generator<string> {
  const content = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  for (const name of names) {
    for (const at of placesOf(`"${name}"`, content)) {
      const text = textAt(content, at + name.length + 2)
      if (text !== undefined) yield text
    }
  }
}

/** Whether nothing in a large body that is not parsed yet can be the key of a project. */
export function isWithoutKey(
  json: Uint8Array,
  names: readonly string[],
  isKnown: (key: string) => boolean,
): boolean {
  if (json.length < leastBytes) return false
  for (const text of textsUnder(names, json)) if (isKnown(text)) return false
  return true
}

function* placesOf(quoted: string, content: Buffer): Generator<number> {
  const first = content.indexOf(quoted)
  if (first < 0) return
  for (let at = first, found = 0; at >= 0 && found < mostOfEach; found++) {
    yield at
    at = content.indexOf(quoted, at + 1)
  }
  for (let at = content.lastIndexOf(quoted), found = 0; at > first && found < mostOfEach; found++) {
    yield at
    at = content.lastIndexOf(quoted, at - 1)
  }
}

/** Longer than any key with its escapes. */
const mostBytes = 1024

function textAt(content: Buffer, start: number): string | undefined {
  const [, text] =
    /^\s*:\s*("(?:[^"\\]|\\.)*")/.exec(content.toString('utf8', start, start + mostBytes)) ?? []
  if (text === undefined) return undefined
  try {
    return String(JSON.parse(text)).trim()
  } catch {
    return undefined
  }
}
