import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { cachedPagePolicy, securityHeaders } from '#http/security-headers'
import type { CalledRequest } from '#site-kit/protocol'

type HeaderList = CalledRequest['headers']

/** Cookies of Tilth itself, which modules of the site folder neither read nor set. */
const isOwnCookie = (name: string): boolean =>
  /^(?:__host-|__secure-)?(?:sid|device|step|oidc|tilth[\w-]*)$/i.test(name.trim())

/** The headers of a request as a route gets them: without the cookies of Tilth. The front has cleaned them. */
export function headersForCall(headers: IncomingHttpHeaders): HeaderList {
  return Object.entries(headers).flatMap(([name, value]): HeaderList => {
    if (value === undefined || requestHeadersOfConnections.has(name)) return []
    const text = name === 'cookie' ? withoutOwnCookies(String(value)) : [value].flat().join(', ')
    return text === '' ? [] : [[name, text]]
  })
}

// RFC 9110, 7.6.1
const headersOfConnections = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
const requestHeadersOfConnections: ReadonlySet<string> = new Set(headersOfConnections)

const withoutOwnCookies = (cookies: string): string =>
  cookies
    .split(';')
    .filter((cookie) => !isOwnCookie(cookie.split('=', 1)[0] ?? ''))
    .map((cookie) => cookie.trim())
    .join('; ')

/** Headers of an answer that a route does not decide, because they hold for connections or for the whole host. */
const refusedHeaders: ReadonlySet<string> = new Set([
  ...headersOfConnections,
  'alt-svc',
  'clear-site-data',
  // the body has been decoded, and its length is counted
  'content-encoding',
  'content-length',
  'nel',
  'permissions-policy',
  'proxy-authenticate',
  'public-key-pins',
  'report-to',
  'reporting-endpoints',
  'server-timing',
  'service-worker-allowed',
  'set-cookie2',
  'strict-transport-security',
  'x-content-type-options',
  'x-request-id',
])

/** The headers with which an answer of a route is sent. Its own policy for contents is added to that of all pages. */
export function headersOfAnswer(given: HeaderList): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ...securityHeaders, 'cache-control': 'no-store' }
  const [cookies, policies]: [string[], string[]] = [[], []]
  for (const [written, value] of given) {
    const name = written.toLowerCase()
    if (name === 'set-cookie') cookies.push(value)
    else if (name === 'content-security-policy') policies.push(value)
    else if (!refusedHeaders.has(name) && !name.startsWith('x-tilth-')) headers[name] = value
  }
  const type = headers['content-type'] ?? ''
  const allowed = cookies.filter(maySet)
  if (allowed.length > 0) headers['set-cookie'] = allowed
  // several policies hold together; Node's types know one
  return Object.assign(headers, { 'content-security-policy': [policyFor(type), ...policies] })
}

/** A document may load what pages of the site do. Anything else that a browser opens loads nothing. */
const policyFor = (type: string): string =>
  /^text\/html\b/i.test(type)
    ? cachedPagePolicy({ allowsStyleAttributes: true })
    : "default-src 'none'; style-src 'unsafe-inline'"

/** A cookie without a name is sent back as its value, which may look like one with a name. */
function maySet(cookie: string): boolean {
  const [pair = ''] = cookie.split(';', 1)
  const name = pair.includes('=') ? pair.slice(0, pair.indexOf('=')).trim() : ''
  return name !== '' && !isOwnCookie(name)
}
