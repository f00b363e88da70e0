import type { Json } from '#events/event'

/** The years that filters accept; an instant outside is moved to their edge, which changes no comparison. */
const firstInstant = Date.UTC(1900, 0, 1)
const lastInstant = Date.UTC(2299, 11, 31)

const isDayInUtc = /^\d{4}(?:-\d\d(?:-\d\d)?)?$/
const namesZone = /(?:Z|\b(?:UTC|GMT|[ECMP][SD]T)\b.*|[+-]\d\d:?\d\d(?: \(.*\))?)$/i

/**
 * Parses an instant as the SDKs in JavaScript do on a machine in UTC: a number is milliseconds since 1970, and a text is
 * whatever `Date` accepts. Returns it in ISO 8601; undefined if it is none, and an SDK asks the server.
 */
export function dateForSdks(value: Json): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const found = new Date(value)
  const at = typeof value === 'string' ? instantOf(found, value) : found.getTime()
  if (Number.isNaN(at)) return undefined
  return new Date(Math.min(Math.max(at, firstInstant), lastInstant)).toISOString()
}

/** A text without a zone is in UTC, whatever the zone of this machine is. */
function instantOf(found: Date, text: string): number {
  if (isDayInUtc.test(text) || namesZone.test(text.trim())) return found.getTime()
  return found.getTime() - found.getTimezoneOffset() * 60_000
}

/** The limit of digits: more are no exact numbers. */
const mostDigits = 15
const largestPart = '9'.repeat(mostDigits)

/**
 * Parses a version as SDKs do, more leniently than filters: parts may be empty, and everything behind the third one is
 * ignored. Returns its three numbers; undefined if it is none.
 */
export function versionForSdks(value: Json): string | undefined {
  const [base = ''] = textForSdks(value).trim().replace(/^v/i, '').split(/[-+]/)
  if (base === '' || base.startsWith('.')) return undefined
  const parts = base.split('.').slice(0, 3)
  if (parts.some((part) => part !== '' && !/^(?:0|[1-9]\d*)$/.test(part))) return undefined
  return parts.map((part) => (part.length > mostDigits ? largestPart : part || '0')).join('.')
}

/** The text of a value as SDKs write it: that of a list has commas, that of an object says nothing. */
export function textForSdks(value: Json): string {
  if (Array.isArray(value)) return value.map((one) => (one === null ? '' : textForSdks(one))).join(',')
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value)
}
