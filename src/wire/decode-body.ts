import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Json, Properties } from '#events/event'
import { isTooComplex } from './internal/json-complexity'

export type Decoded<What> = { read: true; what: What } | UnreadableBody

export interface UnreadableBody {
  read: false
  why: 'unreadable' | 'too-large' | 'unknown-encoding'
  /** Explains the error and its remedy to developers of a client. */
  detail: string
}

/** The limit of an uncompressed body, equal to that of a compressed one. */
export const maxBodyBytes = 20 * 1024 * 1024

const inMegabytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MB`

const encodings = new Set(['', 'identity', 'gzip', 'x-gzip'])

export const unreadableBody = (
  detail: string,
  why: UnreadableBody['why'] = 'unreadable',
): UnreadableBody => ({
  read: false,
  why,
  detail,
})

/** The parts of a request that its body's decoding needs. */
export interface EncodedBody {
  headers: IncomingHttpHeaders
  body: Uint8Array
  isUncompressed?: boolean
  parsedBody?: Decoded<Json>
}

/** The JSON in a body, compressed or not. */
export function decodeJsonBody(request: EncodedBody): Decoded<Json> {
  if (request.parsedBody) return request.parsedBody
  const text = decodeTextBody(request)
  return text.read ? parseJson(text.what) : text
}

/**
 * Decodes the text of a body. Bytes that begin like gzip are decompressed whatever the headers say, because posthog-js
 * sends no header. Only one layer is removed: no real client compresses twice.
 */
export function decodeTextBody({ headers, body, isUncompressed = false }: EncodedBody): Decoded<string> {
  const objection = unsupportedEncoding(headers)
  if (objection) return objection
  return isUncompressed ? decodeUtf8(body) : gunzipText(body)
}

export function unsupportedEncoding(headers: IncomingHttpHeaders): UnreadableBody | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encodings.has(encoding)) return undefined
  const detail = `The content encoding "${encoding}" is not known here. Use gzip, or none.`
  return unreadableBody(detail, 'unknown-encoding')
}

export function gunzipText(bytes: Uint8Array, mostUnpacked = maxBodyBytes): Decoded<string> {
  const plain = isGzip(bytes) ? gunzipBytes(bytes, mostUnpacked) : { read: true as const, what: bytes }
  return plain.read ? decodeUtf8(plain.what) : plain
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * Decompresses synchronously: for a typical kilobyte, another thread would take longer. See `openBody` for larger
 * bodies.
 */
function gunzipBytes(bytes: Uint8Array, maxOutputLength: number): Decoded<Uint8Array> {
  try {
    return { read: true, what: gunzipSync(bytes, { maxOutputLength }) }
  } catch (problem) {
    return unzipFailure(problem, maxOutputLength)
  }
}

export const unzipFailure = (problem: unknown, mostUnpacked = maxBodyBytes): UnreadableBody =>
  problem instanceof RangeError
    ? unreadableBody(
        `Unpacked, the body is larger than ${inMegabytes(mostUnpacked)}. Send fewer events at once.`,
        'too-large',
      )
    : unreadableBody('The body begins like gzip, but is not gzip to its end.')

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function decodeUtf8(bytes: Uint8Array): Decoded<string> {
  try {
    return { read: true, what: utf8.decode(bytes) }
  } catch {
    return unreadableBody('The body is not UTF-8. Send JSON as UTF-8, compressed with gzip or not at all.')
  }
}

export function parseJson(text: string): Decoded<Json> {
  if (isTooComplex(text))
    return unreadableBody(
      'The body nests deeper than 200 levels, or holds more than a million lists and objects.',
    )
  try {
    // the result of JSON.parse is Json by definition
    return { read: true, what: JSON.parse(text) as Json }
  } catch {
    return unreadableBody('The body is not JSON.')
  }
}

export const isProperties = (value: Json | undefined): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
