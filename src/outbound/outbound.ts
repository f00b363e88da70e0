import { lookup as lookUp } from 'node:dns/promises'
import {
  Agent as PlainAgent,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
} from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { OutboundAllowlist } from './allowlist'
import {
  notPublicMessage,
  type Destination,
  isReachable,
  parseRedirect,
  parseDestination,
} from './internal/destination'

/** Resolves a host name. Called once for each request: the connection goes to the addresses that were checked. */
export type HostResolver = (host: string) => Promise<readonly string[]>

const systemResolver: HostResolver = async (host) =>
  (await lookUp(host, { all: true, verbatim: true })).map(({ address }) => address)

interface OutboundRequest {
  url: string
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** A request whose response is read part by part. */
interface StreamedRequest {
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  /** The longest time without a byte. */
  idleMs: number
}

export interface StreamedResponse {
  status: number
  headers: IncomingMessage['headers']
  /** The body, to be read to its end or left by `return`. */
  body: AsyncIterable<Buffer>
}

/** A request that got no response, or lost it; the message is a sentence. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  constructor(
    message: string,
    /** A retry would fail again. */
    readonly isFinal: boolean,
  ) {
    super(message)
  }
}

interface WholeRequest {
  method: string
  headers: Record<string, string>
  body?: string | undefined
  /** The limit of the response; one megabyte if absent. */
  mostBytes?: number
  /** Returns the beginning of a longer response, which is refused otherwise. */
  isCutShort?: boolean
}

/** A page at the address that its redirects led to. */
export interface FetchedPage {
  address: string
  response: Response
}

export type OutboundResult =
  /** The server answered. Only the status is returned; the body is discarded. */
  | { reached: true; status: number; retryAfterSeconds?: number }
  /** `isFinal`: a retry would fail again. */
  | { reached: false; isFinal: boolean; why: string }

export interface OutboundSettings {
  allowlist: OutboundAllowlist
  resolve?: HostResolver
  /** The timeout for the whole exchange, redirects included. */
  withinMs?: number
}

const defaultTimeoutMs = 10_000
const mostRedirects = 3
/** The body is read up to this size, so that the server can finish its response. */
const maxDrainedBytes = 64 * 1024

const refusedResult = (why: string): OutboundResult => ({ reached: false, isFinal: true, why })
const failedResult = (why: string): OutboundResult => ({ reached: false, isFinal: false, why })

/**
 * The HTTP client for all outgoing requests. It resolves names, checks every address they have, and connects to a
 * checked address: a name that resolves differently a moment later (DNS rebinding) has no effect.
 */
export class Outbound {
  constructor(private readonly settings: OutboundSettings) {}

  /** Returns why this URL would be refused, as far as that is known without resolving its host. */
  refusalOf(url: string): string | undefined {
    const parsed = parseDestination(url, this.settings.allowlist)
    return parsed.isFit ? undefined : parsed.why
  }

  async send(request: OutboundRequest): Promise<OutboundResult> {
    const signal = AbortSignal.timeout(this.settings.withinMs ?? defaultTimeoutMs)
    const parsed = parseDestination(request.url, this.settings.allowlist)
    if (!parsed.isFit) return refusedResult(parsed.why)
    try {
      return await this.sendTo(request, parsed.destination, signal, mostRedirects)
    } catch (problem) {
      return failedResult(errorMessage(problem, parsed.destination, signal))
    }
  }

  /** Returns a whole response up to a size limit. Redirects are not followed. */
  async fetch(address: string, request: WholeRequest): Promise<Response> {
    const parsed = parseDestination(address, this.settings.allowlist)
    if (!parsed.isFit) throw new TypeError(parsed.why)
    return await this.fetchFrom(
      parsed.destination,
      request,
      AbortSignal.timeout(this.settings.withinMs ?? defaultTimeoutMs),
    )
  }

  /** Returns the beginning of a page, after its redirects. Throws an `OutboundError`. */
  async fetchPage(
    address: string,
    request: Pick<WholeRequest, 'headers' | 'mostBytes'>,
  ): Promise<FetchedPage> {
    const signal = AbortSignal.timeout(this.settings.withinMs ?? defaultTimeoutMs)
    let parsed = parseDestination(address, this.settings.allowlist)
    for (let left = mostRedirects; ; left--) {
      if (!parsed.isFit) throw new OutboundError(parsed.why, true)
      const to = parsed.destination
      const response = await this.fetchFrom(
        to,
        { ...request, method: 'GET', isCutShort: true },
        signal,
      ).catch((problem: unknown) => {
        throw problem instanceof TypeError
          ? new OutboundError(problem.message, true)
          : new OutboundError(errorMessage(problem, to, signal), false)
      })
      const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null
      if (location === null) return { address: to.url.href, response }
      if (left === 0) throw new OutboundError(`${to.host} leads on and on.`, true)
      parsed = parseRedirect(to.url, location, this.settings.allowlist)
    }
  }

  private async fetchFrom(to: Destination, request: WholeRequest, signal: AbortSignal): Promise<Response> {
    const addresses = await this.addressesOf(to, signal)
    if (!addresses.every((one) => isReachable(one, to, this.settings.allowlist)))
      throw new TypeError(notPublicMessage(to.host))
    return await fetchWhole(request, to, addresses, signal)
  }

  /**
   * Opens a response of any size. Redirects are followed where the method is GET; credentials stay with the origin that
   * they were meant for. Throws an `OutboundError`.
   */
  async stream(address: string, request: StreamedRequest): Promise<StreamedResponse> {
    let parsed = parseDestination(address, this.settings.allowlist)
    for (let left = mostRedirects; ; left--) {
      if (!parsed.isFit) throw new OutboundError(parsed.why, true)
      const to = parsed.destination
      const isSameOrigin = to.url.origin === URL.parse(address)?.origin
      const headers = isSameOrigin ? request.headers : withoutCredentials(request.headers)
      const response = await this.openStream(to, { ...request, headers })
      const { location } = response.headers
      if (request.method !== 'GET' || !redirectStatuses.has(response.statusCode ?? 0) || !location)
        return {
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: readStream(response, to),
        }
      drain(response)
      if (left === 0) throw new OutboundError(`${to.host} leads on and on.`, true)
      parsed = parseRedirect(to.url, location, this.settings.allowlist)
    }
  }

  private async openStream(to: Destination, request: StreamedRequest): Promise<IncomingMessage> {
    const signal = AbortSignal.timeout(request.idleMs)
    try {
      const addresses = await this.addressesOf(to, signal)
      if (addresses.length === 0) throw new OutboundError(`${to.host} has no address.`, false)
      if (!addresses.every((one) => isReachable(one, to, this.settings.allowlist)))
        throw new OutboundError(notPublicMessage(to.host), true)
      return await beginStream(request, to, addresses)
    } catch (problem) {
      if (problem instanceof OutboundError) throw problem
      throw new OutboundError(errorMessage(problem, to, signal), false)
    }
  }

  private async sendTo(
    request: OutboundRequest,
    to: Destination,
    signal: AbortSignal,
    redirects: number,
  ): Promise<OutboundResult> {
    const addresses = await this.addressesOf(to, signal)
    if (addresses.length === 0) return failedResult(`${to.host} has no address.`)
    if (!addresses.every((address) => isReachable(address, to, this.settings.allowlist)))
      return refusedResult(notPublicMessage(to.host))
    const response = await sendRequest(request, to, addresses, signal)
    if (response.location === undefined) return response.result
    const next = parseRedirect(to.url, response.location, this.settings.allowlist)
    if (!next.isFit) return refusedResult(`${to.host} leads elsewhere. ${next.why}`)
    if (redirects === 0) return refusedResult(`${to.host} leads on and on. Use the address at the end.`)
    if (request.method === 'POST' && !response.keepsMethod)
      return refusedResult(`It has moved to ${next.destination.url.href}. Use that address.`)
    return await this.sendTo(request, next.destination, signal, redirects - 1)
  }

  private async addressesOf({ host }: Destination, signal: AbortSignal): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host]
    const { resolve = systemResolver } = this.settings
    return await Promise.race([resolve(host), aborted(signal)])
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

interface ResponseOutcome {
  result: OutboundResult
  /** The target of a redirect. */
  location?: string
  keepsMethod: boolean
}

function sendRequest(
  request: OutboundRequest,
  to: Destination,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<ResponseOutcome> {
  return new Promise((resolve, reject) => {
    const isSecure = to.url.protocol === 'https:'
    const options = { ...optionsFor(request, to, addresses), signal }
    // an agent of its own: no pooled connections, and no proxy from the environment
    const call = isSecure
      ? secureRequest(to.url, { ...options, agent: new SecureAgent({ keepAlive: false }) })
      : plainRequest(to.url, { ...options, agent: new PlainAgent({ keepAlive: false }) })
    call.on('error', reject)
    call.on('response', (response) => {
      drain(response)
      resolve(outcomeOf(response))
    })
    call.end(request.body)
  })
}

const withoutCredentials = (headers: StreamedRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'))

function beginStream(
  { method, headers, body, idleMs }: StreamedRequest,
  { url, host }: Destination,
  addresses: readonly string[],
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method,
      lookup: pinnedTo(addresses),
      maxHeaderSize: 16 * 1024,
      headers: {
        'user-agent': 'Tilth',
        ...headers,
        connection: 'close',
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      ...(isIP(host) === 0 && { servername: host }),
    }
    const call =
      url.protocol === 'https:'
        ? secureRequest(url, { ...options, agent: new SecureAgent({ keepAlive: false }) })
        : plainRequest(url, { ...options, agent: new PlainAgent({ keepAlive: false }) })
    call.setTimeout(idleMs, () =>
      call.destroy(Object.assign(new Error('No byte came in time.'), { code: 'ETIMEDOUT' })),
    )
    call.on('error', reject)
    call.on('response', resolve)
    call.end(body)
  })
}

async function* readStream(response: IncomingMessage, to: Destination): AsyncGenerator<Buffer> {
  try {
    // no encoding is set, so that parts are buffers
    for await (const part of response as AsyncIterable<Buffer>) yield part
  } catch (problem) {
    throw new OutboundError(errorMessage(problem, to), false)
  } finally {
    response.destroy()
  }
}

const maxResponseBytes = 1024 * 1024

function fetchWhole(
  { method, headers, body, mostBytes = maxResponseBytes, isCutShort = false }: WholeRequest,
  { url, host }: Destination,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method,
      lookup: pinnedTo(addresses),
      maxHeaderSize: 16 * 1024,
      signal,
      headers: {
        ...headers,
        connection: 'close',
        ...(body && { 'content-length': Buffer.byteLength(body) }),
      },
      ...(isIP(host) === 0 && { servername: host }),
    }
    const call =
      url.protocol === 'https:'
        ? secureRequest(url, { ...options, agent: new SecureAgent({ keepAlive: false }) })
        : plainRequest(url, { ...options, agent: new PlainAgent({ keepAlive: false }) })
    call.on('error', reject)
    call.on('response', (response) => void readWhole(response, mostBytes, isCutShort).then(resolve, reject))
    call.end(body)
  })
}

async function readWhole(
  response: IncomingMessage,
  mostBytes: number,
  isCutShort: boolean,
): Promise<Response> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length
    if (length > mostBytes && !isCutShort) throw new TypeError('The answer is too long.')
    parts.push(part)
    // leaving the loop ends the connection
    if (length >= mostBytes && isCutShort) break
  }
  const status = response.statusCode ?? 0
  const isEmpty = status === 204 || status === 205 || status === 304
  const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Response(isEmpty ? null : Buffer.concat(parts).subarray(0, mostBytes), { status, headers })
}

const optionsFor = (
  { method, headers, body }: OutboundRequest,
  { host }: Destination,
  addresses: readonly string[],
): RequestOptions => ({
  method,
  lookup: pinnedTo(addresses),
  maxHeaderSize: 16 * 1024,
  headers: {
    ...headers,
    'user-agent': 'Tilth',
    accept: '*/*',
    connection: 'close',
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
  },
  // the name in the certificate; SNI does not allow IP addresses
  ...(isIP(host) === 0 && { servername: host }),
})

/** Returns a DNS lookup that always answers with the checked addresses. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, answer) => {
    const [first] = all
    if (options.all || !first) answer(null, all)
    else answer(null, first.address, first.family)
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): ResponseOutcome {
  const later = Number(headers['retry-after'])
  return {
    result: {
      reached: true,
      status,
      ...(later > 0 && { retryAfterSeconds: Math.min(later, 86_400) }),
    },
    ...(redirectStatuses.has(status) && headers.location !== undefined && { location: headers.location }),
    keepsMethod: status === 307 || status === 308,
  }
}

/** Discards the body up to a limit, because a response may be endless. */
function drain(response: IncomingMessage): void {
  let read = 0
  response.on('error', () => {})
  response.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > maxDrainedBytes) response.destroy()
  })
}

/** Sentences for system error codes, which reveal nothing about the network behind the address. */
const errorMessages: Readonly<Record<string, string>> = {
  ENOTFOUND: 'There is no such host.',
  EAI_AGAIN: 'The name could not be looked up.',
  ECONNREFUSED: 'The host refused the connection.',
  ECONNRESET: 'The connection was closed.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ETIMEDOUT: 'The host did not answer in time.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not trusted.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
}

function errorMessage(problem: unknown, { host }: Destination, signal?: AbortSignal): string {
  if (signal?.aborted) return `${host} did not answer in time.`
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : ''
  return `${host}: ${errorMessages[code] ?? 'The request failed.'}`
}
