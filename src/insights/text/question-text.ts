/** Longer addresses are cut off by some proxies. */
export const longestQuestion = 4096

/** A question as it stands in addresses: compact JSON in letters that need no escaping. */
export function questionText(question: object): string {
  const said = Object.entries(question).filter(([, value]) => !isEmptyList(value))
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(said)))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Of what a question is made of, no series is what is not said, and so with breakdowns and formulas. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** What an address asks, not yet read by its kind; undefined where it says nothing that could be a question. */
export function questionFrom(text: string | undefined): unknown {
  if (!text || text.length > longestQuestion) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
