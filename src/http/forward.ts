import { once } from 'node:events'
import {
  type Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as ask,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  answerRefused,
  answerUnavailable,
  refusedPages,
  type UnavailableReason,
  unreadableForm,
} from './error-page'

/** The limit for the start of a response. Time in which the browser is still sending does not count. */
const responseTimeoutMs = 10_000
/** The limit for a rendering of a process that is busy. */
const busyTimeoutMs = 60_000

/** The cause of a failed page that is no mistake of Tilth: the store, which works later, or the input. */
export type FailureCause = 'store' | 'input'

/** The response header of the pages with the cause of a failure. */
export const failureCauseHeader = 'x-tilth-failed-by'

/** Called with a response once its headers have arrived. */
export type ResponseReceiver = (answer: IncomingMessage, response: ServerResponse) => void

interface ForwardTarget {
  socket: string
  agent: Agent
  /** Request headers besides the browser's own. */
  headers?: OutgoingHttpHeaders
  receive?: ResponseReceiver
}

/** A request for a page that is cached for all visitors; it belongs to no visitor's connection. */
export interface RenderRequest {
  path: string
  headers: OutgoingHttpHeaders
  /** The body of a call, which is sent by POST. A page is read. */
  body?: Buffer
}

/** A complete response. */
export interface RenderResponse {
  status: number
  headers: IncomingMessage['headers']
  /** Trailers of the response. */
  trailers: NodeJS.Dict<string>
  body: Buffer
}

/** A page of a hundred posts names each of them in its trailers. */
const maxTrailerBytes = 128 * 1024

interface RenderTarget extends Pick<ForwardTarget, 'socket' | 'agent'> {
  /** Whether the process has all it can do, which is a reason to wait longer. */
  isBusy?: () => boolean
}

/** Returns the complete response, or why there is none. */
export async function renderFromPages(
  { path, headers, body: sent }: RenderRequest,
  { socket: socketPath, agent, isBusy = () => false }: RenderTarget,
): Promise<RenderResponse | UnavailableReason> {
  const { signal: deadline, end } = deadlineFor(isBusy)
  const upstream = ask({
    socketPath,
    agent,
    method: sent ? 'POST' : 'GET',
    path,
    headers,
    signal: deadline,
    maxHeaderSize: maxTrailerBytes,
  }).end(sent)
  try {
    // the event's arguments
    const [answer] = (await once(upstream, 'response')) as [IncomingMessage]
    const body = await buffer(answer)
    if (failureCauseHeader in answer.headers) return 'store'
    if (isBareFailure(answer)) return 'lost'
    return { status: answer.statusCode ?? 500, headers: answer.headers, trailers: answer.trailers, body }
  } catch {
    return deadline.aborted ? 'late' : 'lost'
  } finally {
    end()
  }
}

function deadlineFor(isBusy: () => boolean): { signal: AbortSignal; end: () => void } {
  const late = new AbortController()
  const beganAt = performance.now()
  const timer = setInterval(() => {
    if (!isBusy() || performance.now() - beganAt >= busyTimeoutMs) late.abort()
  }, responseTimeoutMs)
  return { signal: late.signal, end: () => clearInterval(timer) }
}

/**
 * Whether Next's router itself has failed: then it answers with a line of text, "Internal Server Error"
 * (next/dist/server/lib/router-server.js and base-server.js). No route of ours answers 500 with a text.
 */
function isBareFailure({ statusCode, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>): boolean {
  const type = headers['content-type']
  return statusCode === 500 && (type === undefined || type.startsWith('text/plain'))
}

const readBodies = new WeakMap<IncomingMessage, Buffer>()

/** Attaches a body that was read before the request is forwarded. */
export function attachReadBody(request: IncomingMessage, body: Buffer): void {
  readBodies.set(request, body)
}

export const readBodyOf = (request: IncomingMessage): Buffer | undefined => readBodies.get(request)

/** Forwards a request to the pages process, and responds itself if that does not respond. */
export function forwardToPages(request: IncomingMessage, response: ServerResponse, target: ForwardTarget) {
  const { socket: socketPath, agent, receive = streamResponse } = target
  const body = readBodyOf(request)
  const isComplete = body !== undefined || isReading(request)
  const headers = { ...endToEndHeaders(request.headers), ...target.headers }
  if (isComplete) delete headers['content-length']
  const forwarded = ask({ socketPath, agent, method: request.method, path: request.url, headers })

  const fail = (reason: UnavailableReason) => {
    forwarded.destroy()
    if (!response.headersSent && !response.destroyed) answerUnavailable(request, response, reason)
  }
  const deadline = setTimeout(fail, responseTimeoutMs, 'late')
  request.on('data', () => deadline.refresh())
  response.once('close', () => {
    clearTimeout(deadline)
    forwarded.destroy()
  })
  forwarded.on('error', () => fail('lost'))
  forwarded.once('response', (answer) => {
    clearTimeout(deadline)
    // the body may have exceeded its limit, and the front has refused it
    if (response.headersSent) return void forwarded.destroy()
    const cause = answer.headers[failureCauseHeader]
    if (cause === 'store') return fail('store')
    if (cause !== 'input' && !isBareFailure(answer)) return receive(answer, response)
    answer.resume()
    answerRefused(request, response, cause === 'input' ? unreadableForm : refusedPages[500])
  })
  if (isComplete) forwarded.end(body)
  else request.pipe(forwarded)
}

/** Whether no page reads the body of this request, which would hold a connection to the pages while it arrives. */
const isReading = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** Streams a response. If it ends early, the browser's connection is destroyed too. */
const streamResponse: ResponseReceiver = (answer, response) => {
  response.writeHead(answer.statusCode ?? 500, endToEndHeaders(answer.headers))
  answer.once('error', () => response.destroy())
  answer.pipe(response)
}

// RFC 9110, 7.6.1: these describe one connection, not the message. `Expect` is dropped because the body is on its way
// already.
const hopByHopHeaders = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function endToEndHeaders(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  const named = new Set(headers.connection?.toLowerCase().split(/\s*,\s*/))
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hopByHopHeaders.has(name) && !named.has(name)),
  )
}
