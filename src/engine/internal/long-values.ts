import type { BoundValue } from '../sql'

/**
 * ClickHouse accepts no parameter longer than 128 KiB, and only the server's owner can change that. A longer one is
 * sent in portions, which the statement joins.
 */
const mostBytes = 120 * 1024

/** One character of a JavaScript text takes at most three bytes, escaped or not. */
const bytesPerCharacter = 3

/** The expression that joins portions, by type. */
export function joinedBy(type: string): string {
  return type === 'String' ? 'concat' : 'arrayConcat'
}

export function inPortions({ type, value }: BoundValue): BoundValue[] {
  if (typeof value === 'string' && type === 'String')
    return textPortions(value).map((portion) => ({ type, value: portion }))
  if (Array.isArray(value)) return listPortions(value).map((portion) => ({ type, value: portion }))
  return [{ type, value }]
}

function textPortions(text: string): string[] {
  const most = mostBytes / bytesPerCharacter
  const portions: string[] = []
  for (let rest = text; rest.length > 0 || portions.length === 0;) {
    const end = endsInsidePair(rest, most) ? most - 1 : most
    portions.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return portions
}

function endsInsidePair(text: string, end: number): boolean {
  const codePoint = text.codePointAt(end - 1) ?? 0
  return codePoint > 0xffff
}

function listPortions(list: unknown[]): unknown[][] {
  const portions: unknown[][] = [[]]
  let bytes = 0
  for (const value of list) {
    const more = String(value).length * bytesPerCharacter + 3
    if (bytes + more > mostBytes && bytes > 0) {
      portions.push([])
      bytes = 0
    }
    portions.at(-1)?.push(value)
    bytes += more
  }
  return portions
}
