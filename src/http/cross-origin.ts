import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { RequestHead } from './trusted-request'

type Headers = Readonly<Record<string, string>>

/**
 * Customers' sites are other origins than Tilth's. Any of them may read a response to a request without credentials.
 */
const openToAll: Headers = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, X-Tilth-Dropped, X-Tilth-Part',
  'cross-origin-resource-policy': 'cross-origin',
})
const openToNone: Headers = Object.freeze({ ...openToAll, vary: 'Origin' })
const openToOrigin = new LRUCache<string, Headers>({ max: 1000 })

/** Repeats a header value only if it is valid: Node throws at others. */
const isVisibleAscii = (value: string): boolean => /^[\x20-\x7e]+$/.test(value)

/**
 * The headers that let a page of another origin read a response. Clients that send credentials (posthog-js before
 * 1.223) can read a response only if it names their origin and allows credentials, which `*` cannot.
 */
export function crossOriginHeaders(
  { headers }: Pick<RequestHead, 'headers'>,
  allowsCredentials: boolean,
): Headers {
  if (!allowsCredentials) return openToAll
  const { origin } = headers
  if (origin === undefined || !isVisibleAscii(origin)) return openToNone
  const known = openToOrigin.get(origin)
  if (known) return known
  const open = Object.freeze({
    ...openToNone,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
  })
  openToOrigin.set(origin, open)
  return open
}

/** An application may tell its SDK to send any header, so a preflight allows all requested headers. */
export function preflightHeaders(request: Pick<RequestHead, 'headers'>, allowsCredentials: boolean): Headers {
  const requestedHeaders = request.headers['access-control-request-headers']
  const granted =
    requestedHeaders !== undefined && isVisibleAscii(requestedHeaders)
      ? requestedHeaders
      : 'Content-Type, Authorization, If-None-Match'
  const open = crossOriginHeaders(request, allowsCredentials)
  return {
    ...open,
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': granted,
    'access-control-max-age': '86400',
    vary: joinedVary(open['vary'], 'Access-Control-Request-Headers'),
  }
}

const combinedHeaders = new WeakMap<Headers, WeakMap<Headers, Headers>>()

/**
 * Combines a dialect's headers with those for other origins: a response may vary by more than the origin. Frozen headers,
 * which many responses share, are combined once.
 */
export function withCrossOrigin(headers: Headers, open: Headers): Headers {
  const known = combinedHeaders.get(open)?.get(headers)
  if (known) return known
  const vary = joinedVary(headers['vary'], open['vary'])
  const combined = { ...headers, ...open, ...(vary !== '' && { vary }) }
  return Object.isFrozen(headers) && Object.isFrozen(open) ? remember(combined, headers, open) : combined
}

function remember(combined: Headers, headers: Headers, open: Headers): Headers {
  const ofOpen = combinedHeaders.get(open) ?? new WeakMap<Headers, Headers>()
  combinedHeaders.set(open, ofOpen.set(headers, combined))
  return Object.freeze(combined)
}

const joinedVary = (...names: (string | undefined)[]): string => names.filter(Boolean).join(', ')

/**
 * The request headers for a dialect. A page of another origin can read responses to requests with our cookies, so
 * cookies are removed unless the request came from a page of the same origin, or from no page.
 */
export function withoutForeignCookies(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  if (headers.cookie === undefined || isFromSameOrigin(headers)) return headers
  const { cookie: _removed, ...rest } = headers
  return rest
}

/** Old browsers send only the origin. */
function isFromSameOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || URL.parse(origin)?.host === host
}
