import { lookup as lookUp } from 'node:dns/promises'
import {
  Agent as PlainAgent,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
} from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Allowance } from './allowance'
import { closedWords, type Destination, mayReach, onwards, readDestination } from './destination'

/** Which addresses a name has at this moment. Asked once for each request: what was looked at is what is connected to. */
export type Resolve = (host: string) => Promise<readonly string[]>

export const systemResolver: Resolve = async (host) =>
  (await lookUp(host, { all: true, verbatim: true })).map(({ address }) => address)

export interface Errand {
  url: string
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

export type Reached =
  /** Somebody answered. What they said beside the number is nobody's business here, and not kept. */
  | { reached: true; status: number; retryAfterSeconds?: number }
  /** `isFinal`: asking again would change nothing. */
  | { reached: false; isFinal: boolean; why: string }

export interface OutboundSettings {
  allowance: Allowance
  resolve?: Resolve
  /** For all of it, redirects included. */
  withinMs?: number
}

const usualMs = 10_000
const mostRedirects = 3
/** Read so that the other side can finish in peace, and no further. */
const mostRead = 64 * 1024

const refused = (why: string): Reached => ({ reached: false, isFinal: true, why })
const failed = (why: string): Reached => ({ reached: false, isFinal: false, why })

/**
 * The one way out of Tilth over HTTP. Names are looked up here, every address they have is looked at, and the
 * connection goes to an address that was: a name that means something else a moment later changes nothing.
 */
export class Outbound {
  constructor(private readonly settings: OutboundSettings) {}

  /** Why this address would not be reached, as far as it can be said without looking its name up. */
  objectionTo(url: string): string | undefined {
    const reading = readDestination(url, this.settings.allowance)
    return reading.isFit ? undefined : reading.why
  }

  async run(errand: Errand): Promise<Reached> {
    const signal = AbortSignal.timeout(this.settings.withinMs ?? usualMs)
    const reading = readDestination(errand.url, this.settings.allowance)
    if (!reading.isFit) return refused(reading.why)
    try {
      return await this.go(errand, reading.destination, signal, mostRedirects)
    } catch (problem) {
      return failed(wordsFor(problem, reading.destination, signal))
    }
  }

  private async go(
    errand: Errand,
    to: Destination,
    signal: AbortSignal,
    redirects: number,
  ): Promise<Reached> {
    const addresses = await this.addressesOf(to, signal)
    if (addresses.length === 0) return failed(`${to.host} has no address.`)
    if (!addresses.every((address) => mayReach(address, to, this.settings.allowance)))
      return refused(closedWords(to.host))
    const answer = await ask(errand, to, addresses, signal)
    if (answer.location === undefined) return answer.reached
    const next = onwards(to.url, answer.location, this.settings.allowance)
    if (!next.isFit) return refused(`${to.host} leads elsewhere. ${next.why}`)
    if (redirects === 0) return refused(`${to.host} leads on and on. Use the address at the end.`)
    if (errand.method === 'POST' && !answer.keepsMethod)
      return refused(`It has moved to ${next.destination.url.href}. Use that address.`)
    return await this.go(errand, next.destination, signal, redirects - 1)
  }

  private async addressesOf({ host }: Destination, signal: AbortSignal): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host]
    const { resolve = systemResolver } = this.settings
    return await Promise.race([resolve(host), aborted(signal)])
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

interface Answered {
  reached: Reached
  /** Where it leads on to. */
  location?: string
  keepsMethod: boolean
}

function ask(
  errand: Errand,
  to: Destination,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const isSecure = to.url.protocol === 'https:'
    const options = { ...optionsFor(errand, to, addresses), signal }
    // an agent of its own: no connection of somebody else's, and no proxy out of the environment
    const call = isSecure
      ? secureRequest(to.url, { ...options, agent: new SecureAgent({ keepAlive: false }) })
      : plainRequest(to.url, { ...options, agent: new PlainAgent({ keepAlive: false }) })
    call.on('error', reject)
    call.on('response', (response) => {
      letEnd(response)
      resolve(answerIn(response))
    })
    call.end(errand.body)
  })
}

const optionsFor = (
  { method, headers, body }: Errand,
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
  // what the certificate must be for; an address of IP is no name
  ...(isIP(host) === 0 && { servername: host }),
})

/** Answers with what was looked at, whatever is asked. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, answer) => {
    const [first] = all
    if (options.all || !first) answer(null, all)
    else answer(null, first.address, first.family)
  }
}

const leadsOn = new Set([301, 302, 303, 307, 308])

function answerIn({ statusCode: status = 0, headers }: IncomingMessage): Answered {
  const later = Number(headers['retry-after'])
  return {
    reached: {
      reached: true,
      status,
      ...(later > 0 && { retryAfterSeconds: Math.min(later, 86_400) }),
    },
    ...(leadsOn.has(status) && headers.location !== undefined && { location: headers.location }),
    keepsMethod: status === 307 || status === 308,
  }
}

/** An answer without an end would be read for ever. */
function letEnd(response: IncomingMessage): void {
  let read = 0
  response.on('error', () => {})
  response.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > mostRead) response.destroy()
  })
}

/** What the system says of it, in words; nothing of what stands behind the address. */
const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'There is no such host.',
  EAI_AGAIN: 'The name could not be looked up.',
  ECONNREFUSED: 'Nobody answers there.',
  ECONNRESET: 'The connection was cut.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ETIMEDOUT: 'Nobody answered in time.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is signed by nobody who is known.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
}

function wordsFor(problem: unknown, { host }: Destination, signal: AbortSignal): string {
  if (signal.aborted) return `${host} did not answer in time.`
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : ''
  return `${host}: ${words[code] ?? 'It could not be asked.'}`
}
