import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { ConnectionPath } from '#projects/session-proof'
import { clientAddress, isTrusted, type TrustedProxies } from './trusted-proxies'

/** The facts of a request, with headers of trusted proxies only. */
export interface TrustedRequest {
  readonly requestId: string
  /** The path without the query, still percent-encoded. */
  readonly path: string
  /** The visitor's address, or that of the nearest untrusted proxy. */
  readonly client: string
  /** Protocol and host as the visitor's browser sees them. */
  readonly protocol: 'http' | 'https'
  readonly host: string
  /** Whether the request came through a proxy, trusted or not. */
  readonly isForwarded: boolean
  /** The connection in more detail, stored with sign-ins: the doctor reports untrusted proxies. */
  readonly via: ConnectionPath
}

/** The parts of a request's head that handlers read. */
export type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/** A request whose response is made elsewhere. */
export interface RequestToAnswer {
  request: RequestHead
  trustedRequest: TrustedRequest
}

/** A request and its response. */
export interface Exchange extends RequestToAnswer {
  request: IncomingMessage
  response: ServerResponse
}

/** A request, and the address of the connection on which it arrived. */
type ArrivedRequest = RequestHead & { socket: Pick<IncomingMessage['socket'], 'remoteAddress'> }

interface TrustedRequestSettings {
  trusted: TrustedProxies
  /** The configured addresses. A host with an https address is reached by https. */
  addresses: () => readonly URL[]
}

export function readTrustedRequest(
  { headers, url, socket }: ArrivedRequest,
  { trusted, addresses }: TrustedRequestSettings,
): TrustedRequest {
  const peer = socket.remoteAddress ?? ''
  const believed = isTrusted(peer, trusted) ? headers : undefined
  return new ReadRequest(
    validId(believed?.['x-request-id']) ?? randomUUID(),
    pathOf(url ?? '/'),
    clientAddress(peer, allOf(believed?.['x-forwarded-for']), trusted),
    firstOf(believed?.['x-forwarded-host']) ?? headers.host ?? '',
    headers,
    believed,
    addresses,
  )
}

/** Computes on demand what events do not need. */
class ReadRequest implements TrustedRequest {
  constructor(
    readonly requestId: string,
    readonly path: string,
    readonly client: string,
    readonly host: string,
    private readonly headers: IncomingHttpHeaders,
    /** The headers if a trusted proxy sent them. */
    private readonly believed: IncomingHttpHeaders | undefined,
    private readonly addresses: TrustedRequestSettings['addresses'],
  ) {}

  get protocol(): TrustedRequest['protocol'] {
    const told = protocolOf(firstOf(this.believed?.['x-forwarded-proto']))
    return told ?? protocolBy(this.host, this.addresses()) ?? 'http'
  }

  get isForwarded(): boolean {
    return proxyHeaders.some((name) => name in this.headers)
  }

  get via(): ConnectionPath {
    if (!this.isForwarded) return 'direct'
    return this.believed ? 'trusted-proxy' : 'untrusted-proxy'
  }
}

const proxyHeaders = [
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

const protocolOf = (text: string | undefined): TrustedRequest['protocol'] | undefined =>
  text === 'https' || text === 'http' ? text : undefined

const protocolBy = (host: string, addresses: readonly URL[]): TrustedRequest['protocol'] | undefined =>
  protocolOf(addresses.find((address) => sameHost(host, address))?.protocol.slice(0, -1))

/** `example.com`, `example.com:443` and `EXAMPLE.com` are the same host for https. */
export function sameHost(host: string, address: URL): boolean {
  const port = address.port || (address.protocol === 'https:' ? '443' : '80')
  const named = host.toLowerCase().replace(/\.(?=:\d+$|$)/, '')
  return named === `${address.hostname}:${port}` || (address.port === '' && named === address.hostname)
}

/** Accepts an id that is safe for logs and headers: long enough, and without line breaks. */
function validId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{8,100}$/.test(header) ? header : undefined
}

/**
 * Removes the headers that an outsider must not set, and sets Tilth's own. Pages and the API read address, host and id
 * from these headers and may trust them.
 */
export function cleanHeaders(request: IncomingMessage, trustedRequest: TrustedRequest): void {
  const clean: IncomingHttpHeaders = {}
  for (const [name, value] of Object.entries(request.headers))
    if (!isReservedHeader(name)) clean[name] = value
  request.headers = Object.assign(clean, {
    'x-request-id': trustedRequest.requestId,
    'x-forwarded-for': trustedRequest.client,
    'x-forwarded-proto': trustedRequest.protocol,
    'x-forwarded-host': trustedRequest.host,
    'x-tilth-via': trustedRequest.via,
  })
  request.rawHeaders = Object.entries(request.headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((text) => [name, text]),
  )
}

const isReservedHeader = (name: string): boolean =>
  !browserNextHeaders.has(name) && reservedHeaders.some((pattern) => pattern.test(name))

/** The Next headers that its code in browsers sends; all others pass only between its own parts. */
const browserNextHeaders = new Set([
  'next-action',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-router-state-tree',
  'next-url',
  'x-nextjs-data',
])

const reservedHeaders = [
  // Next's internal headers: forged ones have skipped the middleware, shown another user's page or sent an endless body
  // https://github.com/vercel/next.js/security/advisories/GHSA-f82v-jwr5-mffw
  /^x-middleware-/,
  /^(?:x-)?next(?:js)?-/,
  /^x-(?:invoke|matched|now|vercel|prerender)-/,
  // the visit, which only the front creates
  /^x-tilth-/,
  // Next reads the nonce for its scripts from these
  /^content-security-policy/,
  /^x-nonce$/,
  // the address of the client, which only the front determines
  /^x-forwarded(?:-|$)/,
  /^forwarded$/,
  /^x-(?:real|client|cluster-client)-ip$/,
  /^(?:true|cf)-(?:client|connecting)-ip(?:v6)?$/,
  /^x-original-/,
  /^x-rewrite-/,
  /^x-http-method/,
  // upgrades from plain HTTP, which the pages process does not support
  /^expect$/,
  /^upgrade$/,
  /^http2-settings$/,
  /^proxy-/,
]
