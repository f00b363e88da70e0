import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHead } from './trusted-request'

type Headers = Readonly<Record<string, string>>

/**
 * Customers' sites are other origins than Tilth's. Any of them may read a response to a request without credentials.
 */
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, X-Tilth-Dropped, X-Tilth-Part',
  'cross-origin-resource-policy': 'cross-origin',
}

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
  if (origin === undefined || !isVisibleAscii(origin)) return { ...openToAll, vary: 'Origin' }
  return {
    ...openToAll,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
  }
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

/** Combines a dialect's headers with those for other origins: a response may vary by more than the origin. */
export function withCrossOrigin(headers: Headers, open: Headers): Headers {
  const vary = joinedVary(headers['vary'], open['vary'])
  return { ...headers, ...open, ...(vary !== '' && { vary }) }
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
