import type { IncomingMessage } from 'node:http'
import { networkOf } from '#projects/origin'
import type { WireServices, WireResponse } from '#wire/dialect'
import type { RouteMatch } from '#wire/route-matcher'
import type { BodyMemory } from '#wire/body-memory'
import { leadingFields } from '#wire/leading-fields'
import { withOpenBody } from '#wire/open-body'
import type { Exchange, RequestHead, RequestToAnswer, TrustedRequest } from './trusted-request'
import { discardRemainingBody, type RequestBody } from './body'
import { crossOriginHeaders, preflightHeaders, withCrossOrigin, withoutForeignCookies } from './cross-origin'
import { formatHeaders, type PlainResponse } from './fast-lane/fast-lane'
import type { EventRequest, IngestGate } from './ingest-gate'
import { bodyLimits } from './limits'
import { refuse } from './refusals'

/** The limits of requests of SDKs. */
export interface WireAdmission {
  /** Admits requests with events. */
  gate: IngestGate
  /** Limits the memory of events until they are on disk. */
  bodyMemory: BodyMemory
}

interface WireExchangeSettings extends WireAdmission {
  wire: WireServices
}

/** Reads an SDK's request once it is admitted, passes it to its dialect, and sends the dialect's response. */
export async function answerWireRequest(
  exchange: Exchange,
  body: RequestBody,
  match: RouteMatch,
  settings: WireExchangeSettings & {
    /** Functions that end the open streams, called when Tilth stops. */
    streams: Set<() => void>
  },
): Promise<void> {
  const { request, response } = exchange
  if (match.route.takesEvents && request.method !== 'OPTIONS') {
    response.once('close', () => noteIfRefused(exchange, match, response.statusCode, settings.wire))
    if (!(await mayEnter(exchange, match, settings))) return await refuseEvents(exchange, settings.gate)
  }
  if (request.method === 'OPTIONS') return answerPreflight(exchange, match)
  const receivedAt = new Date()
  const bytes = await body.read()
  const answer = await dialectResponse(exchange, { bytes, receivedAt }, match, settings)
  if (!answer) refuseOverloaded(exchange)
  else if (answer.stream) streamResponse(answer, answer.stream, exchange, settings.streams)
  else sendResponse(answer, exchange)
}

/** Events that are refused, or find no memory, are left to `answerWireRequest`, which refuses them. */
export async function plainWireResponse(
  request: RequestToAnswer,
  bytes: Buffer,
  match: RouteMatch,
  settings: WireExchangeSettings,
): Promise<PlainResponse | undefined> {
  const respond = () => dialectResponse(request, { bytes, receivedAt: new Date() }, match, settings)
  if (!match.route.takesEvents) return plainResponse(request, match, await respond())
  const leave = await settings.gate.enter(eventRequestOf(request, match, bytes.length, true))
  if (!leave) return undefined
  try {
    const answer = await respond()
    if (answer) noteIfRefused(request, match, answer.status, settings.wire)
    return plainResponse(request, match, answer)
  } finally {
    leave()
  }
}

/** Returns the response of a request's dialect, as pages of any origin may read it; undefined under overload. */
async function dialectResponse(
  { request, trustedRequest }: RequestToAnswer,
  { bytes, receivedAt }: { bytes: Buffer; receivedAt: Date },
  match: RouteMatch,
  { wire, bodyMemory }: WireExchangeSettings,
): Promise<WireResponse | undefined> {
  const query = new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1))
  const { route, path, prefix, parts, allowsCredentials } = match
  const wireRequest = { method: request.method ?? 'GET', headers: request.headers, query, body: bytes }
  let refused = route.refuseEarly?.({ ...wireRequest, leading: leadingFields(bytes) }, wire)
  const isRefused = (content: Uint8Array): boolean => {
    refused = route.refuseEarly?.({ ...wireRequest, leading: leadingFields(content), content }, wire)
    return refused !== undefined
  }
  const answer =
    refused ??
    (await withOpenBody(
      {
        ...wireRequest,
        sender: senderOf(trustedRequest),
        takesEvents: route.takesEvents === true,
        hasEventsAsTexts: route.hasEventsAsTexts,
        isRefused,
      },
      { scheduler: wire.scheduler, memory: bodyMemory },
      (openedBody) =>
        refused ??
        route.respond(
          {
            ...wireRequest,
            ...openedBody,
            path,
            prefix,
            parts,
            headers: allowsCredentials ? withoutForeignCookies(request.headers) : request.headers,
            address: trustedRequest.client,
            receivedAt,
          },
          wire,
        ),
    ))
  if (!answer) return undefined
  const open = crossOriginHeaders(request, allowsCredentials)
  return { ...answer, headers: withCrossOrigin(answer.headers ?? {}, open) }
}

/** Names the sender in the queue and in the limits of memory, before the project is known. */
const senderOf = ({ client }: TrustedRequest): string => `network ${networkOf(client)}`

function refuseOverloaded({ request, response, trustedRequest }: Exchange): void {
  response.setHeader('x-request-id', trustedRequest.requestId)
  refuse(request, response, 'overloaded', 'wire')
}

/** Waits for its turn, and for memory. Until then the body is not read, so that its sender waits too. */
async function mayEnter(
  exchange: Exchange,
  match: RouteMatch,
  { gate, bodyMemory }: WireAdmission,
): Promise<boolean> {
  const entering = eventRequestOf(exchange, match, lengthOf(exchange.request))
  const leave = await gate.enter(entering)
  if (!leave) return false
  const { response } = exchange
  if (response.destroyed) leave()
  else response.once('close', leave)
  return await bodyMemory.waitForSpaceToRead(entering.sender, entering.bodyBytes)
}

const eventRequestOf = (
  { request: { headers }, trustedRequest }: RequestToAnswer,
  match: RouteMatch,
  bodyBytes: number,
  isInMemory = false,
): EventRequest => ({
  sender: senderOf(trustedRequest),
  bodyBytes,
  isInMemory,
  sendsAgain: sendsAgain(headers, match),
})

/** A body that does not say its length may be large. */
const lengthOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : presumedBodyBytes

const presumedBodyBytes = 64 * 1024

/** A page cannot read the answer to a beacon, so that no client sends one again. */
const sendsAgain = (headers: RequestHead['headers'], match: RouteMatch): boolean =>
  match.sendsAgain && headers['sec-fetch-mode'] !== 'no-cors'

/** Counts events that were answered 503, for those who run Tilth and for its projects. */
function noteIfRefused(
  { request }: RequestToAnswer,
  match: RouteMatch,
  status: number,
  wire: WireServices,
): void {
  if (status !== 503) return
  wire.noteRefusal({
    dialect: match.dialect,
    reason: sendsAgain(request.headers, match) ? 'not-now' : 'lost',
  })
}

/** Reads and discards the body, so that the connection stays open and a retry needs no new one. */
async function refuseEvents(
  { request, response, trustedRequest }: Exchange,
  gate: IngestGate,
): Promise<void> {
  await gate.refuse()
  if (response.destroyed) return
  response.setHeader('x-request-id', trustedRequest.requestId)
  discardRemainingBody(request, { mostBytes: 2 * bodyLimits.wire, idleMs: lingerAfterRefusalMs })
  refuse(request, response, 'overloaded', 'wire')
}

const lingerAfterRefusalMs = 2000

function answerPreflight(
  { request, response, trustedRequest }: Exchange,
  { allowsCredentials }: RouteMatch,
): void {
  response.writeHead(204, {
    ...preflightHeaders(request, allowsCredentials),
    'x-request-id': trustedRequest.requestId,
  })
  response.end()
}

function sendResponse(
  { status, headers, body = '' }: WireResponse,
  { request, response, trustedRequest }: Exchange,
): void {
  const hasBody = status !== 204 && status !== 304
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const responseHeaders = { 'x-request-id': trustedRequest.requestId, ...headers }
  response.writeHead(status, hasBody ? { ...responseHeaders, 'content-length': length } : responseHeaders)
  response.end(hasBody && request.method !== 'HEAD' ? body : undefined)
}

function plainResponse(
  request: RequestToAnswer,
  match: RouteMatch,
  answer: WireResponse | undefined,
): PlainResponse | undefined {
  if (!answer) return undefined
  if (answer.stream) throw new Error(`The response to POST ${match.path} is a stream.`)
  const { status, headers = {}, body = '' } = answer
  const hasBody = status !== 204 && status !== 304
  const length = hasBody ? `content-length: ${Buffer.byteLength(body)}\r\n` : ''
  const id = `x-request-id: ${request.trustedRequest.requestId}\r\n`
  return { status, headerLines: id + formatHeaders(headers) + length, body: hasBody ? body : '' }
}

/** Proxies close connections without traffic after a minute. */
const heartbeatMs = 25_000
/** A client with more unread bytes than this is disconnected. */
const maxBufferedBytes = 64 * 1024

/** Streams a response until the client disconnects or Tilth stops. */
function streamResponse(
  { status, headers, body = '' }: WireResponse,
  continueWith: NonNullable<WireResponse['stream']>,
  { request, response, trustedRequest }: Exchange,
  streams: Set<() => void>,
): void {
  response.writeHead(status, { 'x-request-id': trustedRequest.requestId, ...headers })
  response.write(body)
  const tell = (text: string): void => {
    if (response.writableLength > maxBufferedBytes) response.destroy()
    else if (!response.writableEnded) response.write(text)
  }
  const end = (): void => void response.end()
  const stop = continueWith(tell, end)
  const heartbeat = setInterval(() => tell(': still here\n\n'), heartbeatMs).unref()
  const disconnect = (): void => {
    clearInterval(heartbeat)
    streams.delete(end)
    stop()
  }
  streams.add(end)
  response.once('close', disconnect)
  if (request.method === 'HEAD') end()
  // a client that disconnected during the read emits no second event
  if (response.destroyed) disconnect()
}
