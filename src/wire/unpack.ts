import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Json, Properties } from '../events/event'
import { isOverloaded } from './overload'

export type Unpacked<What> = { read: true; what: What } | Unreadable

export interface Unreadable {
  read: false
  why: 'unreadable' | 'too-large' | 'unknown-encoding'
  /** For whoever debugs the sender: what is wrong, and what would be right. */
  detail: string
}

/** Unpacked, a request may be no larger than it may be packed. */
const mostBytes = 20 * 1024 * 1024

const encodings = new Set(['', 'identity', 'gzip', 'x-gzip'])

export const unreadable = (detail: string, why: Unreadable['why'] = 'unreadable'): Unreadable => ({
  read: false,
  why,
  detail,
})

/** The JSON in a body, compressed or not. */
export function unpacked(request: { headers: IncomingHttpHeaders; body: Uint8Array }): Unpacked<Json> {
  const text = unpackedText(request)
  return text.read ? parsed(text.what) : text
}

/**
 * The text in a body. Bytes that begin like gzip are gzip, whatever the headers say: posthog-js says nothing. One layer
 * is undone and no more: nobody sends two but to see what happens.
 */
export function unpackedText({
  headers,
  body,
}: {
  headers: IncomingHttpHeaders
  body: Uint8Array
}): Unpacked<string> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (!encodings.has(encoding))
    return unreadable(
      `The content encoding "${encoding}" is not known here. Use gzip, or none.`,
      'unknown-encoding',
    )
  return textOf(body)
}

export function textOf(bytes: Uint8Array): Unpacked<string> {
  const plain = isGzip(bytes) ? unzipped(bytes) : { read: true as const, what: bytes }
  return plain.read ? decoded(plain.what) : plain
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * At once rather than on other threads: then there is never more than one unpacked at a time, however many arrive, and
 * for the usual kilobyte the way to another thread and back takes longer than the work.
 */
function unzipped(bytes: Uint8Array): Unpacked<Uint8Array> {
  try {
    return { read: true, what: gunzipSync(bytes, { maxOutputLength: mostBytes }) }
  } catch (problem) {
    const isTooLarge = problem instanceof RangeError
    return isTooLarge
      ? unreadable('Unpacked, the body is larger than 20 MB. Send fewer events at once.', 'too-large')
      : unreadable('The body begins like gzip, but is not gzip to its end.')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decoded(bytes: Uint8Array): Unpacked<string> {
  try {
    return { read: true, what: utf8.decode(bytes) }
  } catch {
    return unreadable('The body is not UTF-8. Send JSON as UTF-8, compressed with gzip or not at all.')
  }
}

export function parsed(text: string): Unpacked<Json> {
  if (isOverloaded(text))
    return unreadable(
      'The body nests deeper than 200 levels, or holds more than a million lists and objects.',
    )
  try {
    // what JSON.parse makes is Json by definition
    return { read: true, what: JSON.parse(text) as Json }
  } catch {
    return unreadable('The body is not JSON.')
  }
}

export const isProperties = (value: Json | undefined): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
