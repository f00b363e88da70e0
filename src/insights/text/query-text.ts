/** The longest query of an address. Some proxies cut longer addresses. */
export const longestQuery = 4096

/** Formats a query for addresses: compact JSON that needs no escaping. */
export function queryText(query: object): string {
  const entries = Object.entries(query).filter(([, value]) => !isEmptyList(value))
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Empty lists of series, breakdowns and formulas mean the same as absent ones. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Reads the query of an address, not yet parsed by its kind; undefined if it is not one. */
export function queryFrom(text: string | undefined): unknown {
  if (!text || text.length > longestQuery) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
