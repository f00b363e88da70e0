import type { IncomingMessage } from 'node:http'
import { networkOf } from '#projects/origin'
import type { WireRequest, WireResponse, WireServices } from '#wire/dialect'
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
  const respond = () => dialectResponse(exchange, { bytes, receivedAt }, match, settings)
  const answer = readableAnywhere(await respond(), exchange, match)
  if (!answer) refuseOverloaded(exchange)
  else if (answer.stream) streamResponse(answer, answer.stream, exchange, settings.streams)
  else sendResponse(answer, exchange)
}

/**
 * Events that are refused, or find no memory, are left to `answerWireRequest`, which refuses them. The
 * response to any other request is returned without a promise, unless its dialect waits.
 */
export function plainWireResponse(
  request: RequestToAnswer,
  bytes: Buffer,
  match: RouteMatch,
  settings: WireExchangeSettings,
): PlainResponse | undefined | Promise<PlainResponse | undefined> {
  if (match.route.takesEvents) return plainEventsResponse(request, bytes, match, settings)
  const answer = dialectResponse(request, { bytes, receivedAt: new Date() }, match, settings)
  return answer instanceof Promise
    ? answer.then((late) => plainResponse(request, match, late))
    : plainResponse(request, match, answer)
}

async function plainEventsResponse(
  request: RequestToAnswer,
  bytes: Buffer,
  match: RouteMatch,
  settings: WireExchangeSettings,
): Promise<PlainResponse | undefined> {
  const entering = settings.gate.enter(eventRequestOf(request, match, bytes.length, true))
  const leave = entering instanceof Promise ? await entering : entering
  if (!leave) return undefined
  try {
    const answer = await dialectResponse(request, { bytes, receivedAt: new Date() }, match, settings)
    if (answer) noteIfRefused(request, match, answer.status, settings.wire)
    return plainResponse(request, match, answer)
  } finally {
    leave()
  }
}

/** Returns the response of a request's dialect; undefined under overload. */
function dialectResponse(
  { request, trustedRequest }: RequestToAnswer,
  { bytes, receivedAt }: { bytes: Buffer; receivedAt: Date },
  match: RouteMatch,
  { wire, bodyMemory }: WireExchangeSettings,
): WireResponse | undefined | Promise<WireResponse | undefined> {
  const { route, path, prefix, parts, allowsCredentials } = match
  const { headers } = request
  const wireRequest: WireRequest = {
    method: request.method ?? 'GET',
    path,
    prefix,
    parts,
    query: new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1)),
    headers: allowsCredentials ? withoutForeignCookies(headers) : headers,
    body: bytes,
    address: trustedRequest.client,
    receivedAt,
  }
  const refuseEarly = (content: Uint8Array, json?: Uint8Array): WireResponse | undefined =>
    route.refuseEarly?.(
      { query: wireRequest.query, headers, leading: leadingFields(content), content: json },
      wire,
    )
  let refused = refuseEarly(bytes)
  return (
    refused ??
    withOpenBody(
      {
        headers,
        body: bytes,
        sender: senderOf(trustedRequest),
        takesEvents: route.takesEvents === true,
        hasEventsAsTexts: route.hasEventsAsTexts,
        isRefused: (content) => (refused = refuseEarly(content, content)) !== undefined,
      },
      { scheduler: wire.scheduler, memory: bodyMemory },
      (opened) => refused ?? route.respond({ ...wireRequest, ...opened }, wire),
    )
  )
}

/** Lets pages of any origin read a response. */
function readableAnywhere(
  answer: WireResponse | undefined,
  { request }: RequestToAnswer,
  { allowsCredentials }: RouteMatch,
): WireResponse | undefined {
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
  dialectAnswer: WireResponse | undefined,
): PlainResponse | undefined {
  const answer = readableAnywhere(dialectAnswer, request, match)
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
