import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

type Headers = Readonly<Record<string, string>>

/** Customers' sites are other origins than ours. An answer without credentials may be read by every one of them. */
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, X-Tilth-Dropped',
  'cross-origin-resource-policy': 'cross-origin',
}

/** A header value is only repeated where it can be one: Node throws at others. */
const isVisibleAscii = (value: string): boolean => /^[\x20-\x7e]+$/.test(value)

/**
 * What lets a page of another origin read an answer. Clients that send with credentials (posthog-js before 1.223) are
 * shown an answer only if it names their origin and allows credentials, which `*` cannot.
 */
export function crossOriginHeaders({ headers }: IncomingMessage, allowsCredentials: boolean): Headers {
  if (!allowsCredentials) return openToAll
  const { origin } = headers
  if (origin === undefined || !isVisibleAscii(origin)) return { ...openToAll, vary: 'Origin' }
  return {
    ...openToAll,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
  }
}

/** An application may tell its SDK to send any header along, so a preflight grants all that it asks for. */
export function preflightHeaders(request: IncomingMessage, allowsCredentials: boolean): Headers {
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

/** A dialect's own headers with those for other origins: an answer may vary by more than the origin. */
export function withCrossOrigin(headers: Headers, open: Headers): Headers {
  const vary = joinedVary(headers['vary'], open['vary'])
  return { ...headers, ...open, ...(vary !== '' && { vary }) }
}

const joinedVary = (...names: (string | undefined)[]): string => names.filter(Boolean).join(', ')

/**
 * A request as a dialect may see it. A page of another origin can now read answers to requests that carry our cookies,
 * so cookies are taken off unless the request came from a page of the same origin, or from no page at all.
 */
export function withoutForeignCookies(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  if (headers.cookie === undefined || isFromSameOrigin(headers)) return headers
  const { cookie: _removed, ...rest } = headers
  return rest
}

/** Old browsers name the origin alone. */
function isFromSameOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || URL.parse(origin)?.host === host
}
