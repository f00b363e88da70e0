import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { clientAddress, isTrusted, type TrustedProxies } from './trusted-proxies'

/** A request as it stands once we know whose word counts: what the front door decides by. */
export interface Arrival {
  readonly requestId: string
  /** Without the question mark and what follows it, still percent-encoded. */
  readonly path: string
  /** The visitor's own address, or that of the nearest one nobody vouches for. */
  readonly client: string
  /** What the visitor's browser believes to be talking to. */
  readonly protocol: 'http' | 'https'
  readonly host: string
  /** A proxy stands between, whether we trust it or not. */
  readonly isForwarded: boolean
}

interface Surroundings {
  trusted: TrustedProxies
  /** By whom a host is reached is the operator's knowledge: https where its configured address says so. */
  addresses: () => readonly URL[]
}

export function readArrival(request: IncomingMessage, { trusted, addresses }: Surroundings): Arrival {
  const peer = request.socket.remoteAddress ?? ''
  const { headers } = request
  const believed: IncomingHttpHeaders = isTrusted(peer, trusted) ? headers : {}
  const host = firstOf(believed['x-forwarded-host']) ?? headers.host ?? ''
  return {
    requestId: validId(believed['x-request-id']) ?? randomUUID(),
    path: pathOf(request.url ?? '/'),
    client: clientAddress(peer, allOf(believed['x-forwarded-for']), trusted),
    // found out for who asks: an event is the same by any protocol
    get protocol() {
      return protocolOf(firstOf(believed['x-forwarded-proto'])) ?? protocolBy(host, addresses()) ?? 'http'
    },
    host,
    get isForwarded() {
      return signsOfProxies.some((name) => name in headers)
    },
  }
}

const signsOfProxies = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
]

function pathOf(target: string): string {
  const end = target.indexOf('?')
  return end < 0 ? target : target.slice(0, end)
}

const allOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header

const firstOf = (header: string | string[] | undefined): string | undefined =>
  allOf(header)?.split(',')[0]?.trim() || undefined

const protocolOf = (text: string | undefined): Arrival['protocol'] | undefined =>
  text === 'https' || text === 'http' ? text : undefined

const protocolBy = (host: string, addresses: readonly URL[]): Arrival['protocol'] | undefined =>
  protocolOf(addresses.find((address) => sameHost(host, address))?.protocol.slice(0, -1))

/** `example.com`, `example.com:443` and `EXAMPLE.com` are one to a browser on https. */
export function sameHost(host: string, address: URL): boolean {
  const port = address.port || (address.protocol === 'https:' ? '443' : '80')
  const named = host.toLowerCase().replace(/\.(?=:\d+$|$)/, '')
  return named === `${address.hostname}:${port}` || (address.port === '' && named === address.hostname)
}

/** Ids end up in logs and headers: long enough to be one, nothing that could break a line. */
function validId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{8,100}$/.test(header) ? header : undefined
}

/**
 * Leaves on the request only what an outsider may say, and says ourselves what only we know. Whoever comes after the
 * front door, page or API, reads address, host and id from these headers and need not doubt them.
 */
export function cleanHeaders(request: IncomingMessage, arrival: Arrival): void {
  const clean: IncomingHttpHeaders = {}
  for (const [name, value] of Object.entries(request.headers)) if (!isOursToSay(name)) clean[name] = value
  request.headers = Object.assign(clean, {
    'x-request-id': arrival.requestId,
    'x-forwarded-for': arrival.client,
    'x-forwarded-proto': arrival.protocol,
    'x-forwarded-host': arrival.host,
  })
  request.rawHeaders = Object.entries(request.headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((text) => [name, text]),
  )
}

const isOursToSay = (name: string): boolean =>
  !sentByBrowsers.has(name) && oursToSay.some((pattern) => pattern.test(name))

/** Of Next's headers, those its code in the browser really sends; all others pass between its own parts only. */
const sentByBrowsers = new Set([
  'next-action',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-router-state-tree',
  'next-url',
  'x-nextjs-data',
])

const oursToSay = [
  // Next's own, of which a forged one has meant: no middleware, somebody else's page, a body without end
  // https://github.com/vercel/next.js/security/advisories/GHSA-f82v-jwr5-mffw
  /^x-middleware-/,
  /^(?:x-)?next(?:js)?-/,
  /^x-(?:invoke|matched|now|vercel|prerender)-/,
  // the visit, begun here and nowhere else
  /^x-tilth-/,
  // the nonce Next puts on its scripts is taken from these
  /^content-security-policy/,
  /^x-nonce$/,
  // who came from where, which only we have established
  /^x-forwarded(?:-|$)/,
  /^forwarded$/,
  /^x-(?:real|client|cluster-client)-ip$/,
  /^(?:true|cf)-(?:client|connecting)-ip(?:v6)?$/,
  /^x-original-/,
  /^x-rewrite-/,
  /^x-http-method/,
  // ways out of plain HTTP, which nothing behind the front speaks
  /^expect$/,
  /^upgrade$/,
  /^http2-settings$/,
  /^proxy-/,
]
