import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHead } from '../trusted-request'

/** The head of a request that uses nothing of HTTP but a method, a path, headers and a length. */
export interface PlainRequest extends RequestHead {
  method: 'GET' | 'POST'
  url: string
  headers: IncomingHttpHeaders
  /** The number of bytes of the head, with the empty line. */
  headBytes: number
  bodyBytes: number
}

/** `node:http` reads larger heads. */
const maxHeadBytes = 8 * 1024
const maxHeaders = 50

const headEnd = Buffer.from('\r\n\r\n')

/**
 * A plain head has one way to write each thing: a path and not a whole address, no fragment, one blank at most before a
 * value and none after it, no tab, nothing outside ASCII, and no line that ends otherwise than with CR LF.
 */
const plainHead = /^(?:GET|POST) \/(?!\/)[\w\-.~!$&'()*+,;=:@/?%]* HTTP\/1\.1(?:\r\n[A-Za-z\d-]+:[ -~]*)+$/

/** Headers with which a request is more than plain: `node:http` judges what they mean. */
const unusualHeaders = new Set([
  'constructor',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Reads the head of a plain request at the beginning of these bytes. Returns undefined for every other request, and for
 * one that is not there completely: `node:http` reads it then. Whatever is read here, `node:http` reads in the same way.
 */
export function readPlainHead(bytes: Buffer): PlainRequest | undefined {
  const end = bytes.subarray(0, maxHeadBytes).indexOf(headEnd)
  if (end < 0) return undefined
  const text = bytes.toString('latin1', 0, end)
  if (!plainHead.test(text)) return undefined
  const firstEnd = text.indexOf('\r\n')
  const method = text.startsWith('GET ') ? 'GET' : 'POST'
  const url = text.slice(method.length + 1, firstEnd - ' HTTP/1.1'.length)
  const headers = headersIn(text, firstEnd + 2)
  if (!headers || !isPlainPath(url)) return undefined
  const bodyBytes = plainLength(method, headers)
  if (bodyBytes === undefined) return undefined
  return { method, url, headers, headBytes: end + headEnd.length, bodyBytes }
}

/** Each header once, with its name in lower case; undefined if one is repeated or unusual. */
function headersIn(text: string, start: number): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = {}
  let count = 0
  for (let from = start; from < text.length;) {
    const next = text.indexOf('\r\n', from)
    const end = next < 0 ? text.length : next
    const colon = text.indexOf(':', from)
    const name = text.slice(from, colon).toLowerCase()
    if (headers[name] !== undefined || unusualHeaders.has(name) || ++count > maxHeaders) return undefined
    const value = text.slice(text.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1, end)
    if (value.startsWith(' ') || value.endsWith(' ')) return undefined
    headers[name] = value
    from = end + 2
  }
  return headers
}

/** An escape in a path may be malformed; one in a query is read by the handler. */
function isPlainPath(url: string): boolean {
  const escape = url.indexOf('%')
  if (escape < 0) return true
  const query = url.indexOf('?')
  return query >= 0 && query < escape
}

/** The length of the body; undefined if the headers leave any doubt about it, about the host or about the connection. */
function plainLength(
  method: PlainRequest['method'],
  { host, connection, 'content-length': length }: IncomingHttpHeaders,
): number | undefined {
  if (!host || (connection !== undefined && connection.toLowerCase() !== 'keep-alive')) return undefined
  if (method === 'GET') return length === undefined ? 0 : undefined
  return length !== undefined && /^[1-9]\d{0,6}$/.test(length) ? Number(length) : undefined
}
